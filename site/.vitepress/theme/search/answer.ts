import { wordsBegunIn } from './beginnings.ts';
import { askGateway } from './gateway.ts';
import type { Answer } from './hit.ts';

export const NO_ANSWER: Answer = { hits: [], note: '' };

/**
 * Answers as the gateway's search does. Where that has no answer, it gives the places whose words begin with what is
 * being typed, or else the nearest pages, marked as such. The first also where the gateway does not answer at all.
 */
export async function answerTo(question: string, signal: AbortSignal): Promise<Answer> {
  if (question.trim() === '') return NO_ANSWER;
  const asked = await askGateway(question, signal);
  if (asked !== null && asked.hits.length > 0) return { hits: asked.hits, note: asked.note };
  const begun = await wordsBegunIn(question);
  if (begun.length > 0) return { hits: begun, note: 'Places with words that begin like this:' };
  if (asked === null) return { hits: [], note: 'Nothing in this manual begins like this.' };
  if (asked.nearest.length === 0) return { hits: [], note: asked.note };
  return { hits: asked.nearest, note: `${asked.note} Nearest:` };
}

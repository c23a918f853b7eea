import { wordsBegunIn } from './beginnings.ts';
import { askGateway } from './gateway.ts';
import type { Answer } from './hit.ts';

export const NO_ANSWER: Answer = { hits: [], note: '' };

/**
 * Answers from the gateway's search. Without a hit there, returns sections with words that begin like the typed text, else the
 * nearest pages, marked as such. The former also if the gateway does not answer.
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

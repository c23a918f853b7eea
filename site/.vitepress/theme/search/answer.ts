import { wordsBegunIn } from './beginnings.ts';
import { askGateway } from './gateway.ts';
import type { Answer } from './hit.ts';

export const NO_ANSWER: Answer = { hits: [], note: '' };

/**
 * Answers as the gateway's search does. Where that has no answer, which is so while a word is still being typed, and where
 * the gateway does not answer at all, the places whose words begin like this are given.
 */
export async function answerTo(question: string, signal: AbortSignal): Promise<Answer> {
  if (question.trim() === '') return NO_ANSWER;
  const asked = await askGateway(question, signal);
  if (asked !== null && asked.hits.length > 0) return asked;
  const begun = await wordsBegunIn(question);
  if (begun.length > 0) return { hits: begun, note: 'Places with words that begin like this:' };
  return asked ?? { hits: [], note: 'Nothing in this manual begins like this.' };
}

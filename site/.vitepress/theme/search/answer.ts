import { wordsBegunIn } from './beginnings.ts';
import { askGateway } from './gateway.ts';

/** One place of the manual that the box leads to. */
export interface Hit {
  /** Path on this gateway, with the heading's fragment. */
  readonly href: string;
  /** Page, and its heading where one is meant. */
  readonly titles: readonly string[];
  /** The passage in plain words; empty where none is shown. */
  readonly excerpt: string;
}

/** What stands below the box. */
export interface Answer {
  readonly hits: readonly Hit[];
  /** A sentence above the hits, or in their place; empty where none is needed. */
  readonly note: string;
}

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

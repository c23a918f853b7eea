import { refusal } from '@gateway/contract';
import { jsonAnswer, type PageAnswer, refuse } from '../pages/answer.ts';
import type { Search } from './search.ts';

/** Bounds of a question and of the number of passages (documentation-10). */
export const LONGEST_QUESTION = 1000;
export const FEWEST_PASSAGES = 1;
export const MOST_PASSAGES = 20;
export const USUAL_PASSAGES = 5;

/**
 * Answers `/v/_search` (documentation-8).
 * @param search null where the archive carries no corpus
 * @param query of the raw target, from `?` on
 */
export function answerSearch(search: Search | null, method: string, query: string): PageAnswer {
  if (method !== 'GET' && method !== 'HEAD') {
    return refuse(refusal('search-read-only', { headers: { allow: 'GET, HEAD' } }));
  }
  if (search === null) return refuse(refusal('search-corpus-absent'));
  const parameters = new URLSearchParams(query);
  const question = parameters.get('q') ?? '';
  // The sentence shows a placeholder of its own where other sentences are filled.
  if (question.trim() === '') return refuse(refusal('search-question-missing', { details: { words: '<words>' } }));
  if (isTooLong(question)) {
    return refuse(refusal('search-question-too-long', { details: { most: String(LONGEST_QUESTION) } }));
  }
  return jsonAnswer(200, search(question, limitOf(parameters.get('limit'))));
}

/** Counts characters as a reader does, not the two halves of those beyond the basic plane. */
export function isTooLong(question: string): boolean {
  return question.length > LONGEST_QUESTION && Array.from(question).length > LONGEST_QUESTION;
}

/** Clamped; a value that is no integer takes the usual number. */
function limitOf(limit: string | null): number {
  if (limit === null || !/^[+-]?\d+$/.test(limit)) return USUAL_PASSAGES;
  return Math.min(MOST_PASSAGES, Math.max(FEWEST_PASSAGES, Number(limit)));
}

import type { AskedTerm } from './question.ts';

/** How an answer begins that has no passages; the manual's search box shows it too. */
const NO_ANSWER = 'No page answers this.';

/** Says that nothing covers a question: what the documentation does not mention, and what may have been meant. */
export function refusalNote(asked: readonly AskedTerm[]): string {
  const unknown = distinct(asked.filter(({ known, significant }) => significant && !known).map(({ shown }) => shown));
  const meant = distinct(asked.flatMap(({ known, suggestion }) => (known || suggestion === null ? [] : [suggestion])));
  return [
    NO_ANSWER,
    ...(unknown.length === 0 ? [] : [`It does not mention: ${unknown.join(', ')}.`]),
    ...(meant.length === 0 ? [] : [`Did you mean: ${meant.join(', ')}?`]),
    ...readAs(asked),
  ].join(' ');
}

/** Lists the words of an answered question that were corrected; null for none. */
export function correctionNote(asked: readonly AskedTerm[]): string | null {
  const read = readAs(asked);
  return read.length === 0 ? null : read.join(' ');
}

function readAs(asked: readonly AskedTerm[]): string[] {
  const typed = distinct(asked.flatMap((term) => (term.typed === null ? [] : [term.typed])));
  return typed.map((word) => {
    const meant = distinct(asked.filter((term) => term.typed === word).map((term) => term.shown)).join(' ');
    return `Searched for ${meant} in place of ${word}, which the documentation does not mention.`;
  });
}

function distinct(words: readonly string[]): string[] {
  return [...new Set(words)];
}

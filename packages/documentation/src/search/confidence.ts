import type { SearchIndex } from './build-index.ts';
import type { Postings } from './postings.ts';
import type { AskedTerm } from './question.ts';
import type { Ranked } from './rank.ts';

/** What a term counts that stands elsewhere on the passage's page. */
const ELSEWHERE = 0.85;
/** What a synonym counts of a word that the corpus does not hold: that word is the best sign of a foreign question. */
const STAND_IN = 0.35;
/** Softens rarity, so that one rare word does not decide alone. */
const SOFTENED = 0.7;
/** Passages of which the best covered one speaks for all. */
export const LOOKED_AT = 3;
/** What the best score counts beside coverage, as a share of the greatest possible one. */
const SCORE_SHARE = 0.5;

/** From this confidence on a question counts as answered; measured on the development questions of the benchmark, and on others that it was not fitted to. */
const ANSWERED = 0.94;

/**
 * How much of a question a passage covers, from 0 to 1: the share of what was asked for that it or its page says,
 * weighed by how telling each word is. A word that the corpus does not hold weighs most and is hardly ever covered.
 */
export function coverageOf(index: SearchIndex, asked: readonly AskedTerm[], passage: number): number {
  let whole = 0;
  let covered = 0;
  const page = index.passages[passage]?.page ?? 0;
  for (const term of asked) {
    if (!term.telling) continue;
    const weight = term.rarity ** SOFTENED;
    whole += weight;
    const trust = Math.max(trustIn(index.inPassages, term, passage), ELSEWHERE * trustIn(index.inPages, term, page));
    covered += (term.known ? 1 : STAND_IN) * trust * weight;
  }
  return whole === 0 ? 0 : covered / whole;
}

/** Whether the best passages cover the question well enough to call it answered. */
export function isAnswered(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): boolean {
  return confidence(index, asked, ranked) >= ANSWERED;
}

export function confidence(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): number {
  const possible = asked.reduce((sum, { rarity, telling }) => sum + (telling ? rarity : 0), 0);
  if (possible === 0) return 0;
  const coverage = Math.max(0, ...ranked.slice(0, LOOKED_AT).map(({ passage }) => coverageOf(index, asked, passage)));
  return coverage + (SCORE_SHARE * (ranked[0]?.score ?? 0)) / possible;
}

/** Trust of the best variant of a term that a document holds; 0 when it holds none. */
function trustIn(postings: Postings, { variants }: AskedTerm, document: number): number {
  let best = 0;
  for (const { term, trust } of variants) if (trust > best && holds(postings, term, document)) best = trust;
  return best;
}

/** Binary search among the documents of a term, which are in ascending order. */
function holds({ offsets, numbers }: Postings, term: number, document: number): boolean {
  let low = offsets[term] ?? 0;
  let high = (offsets[term + 1] ?? 0) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = numbers[middle] ?? 0;
    if (found === document) return true;
    if (found < document) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

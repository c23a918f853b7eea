import type { SearchIndex } from './build-index.ts';
import type { Postings } from './postings.ts';
import type { AskedTerm } from './question.ts';
import type { Ranked } from './rank.ts';

/** The value of a term found elsewhere on the passage's page. */
const ELSEWHERE = 0.85;
/** The value of a synonym for a word missing from the corpus: that word is the best sign of a foreign question. */
const STAND_IN = 0.35;
/** Reduces rarity, so that one rare word does not decide alone. */
const SOFTENED = 0.7;
/** Passages of which the best covered one speaks for all. */
export const LOOKED_AT = 3;
/** The weight of the best score besides coverage, as a share of the greatest possible one. */
const SCORE_SHARE = 0.5;

/** From this confidence on a question counts as answered; measured on the development questions of the benchmark, and on others that it was not fitted to. */
const ANSWERED = 0.88;

/**
 * A question with unknown words is answered when the best passages cover all its other words, and clearly. The unknown
 * words may be this share of the question, by weight; at 0.47 the benchmark's questions on absent subjects begin to pass.
 */
const UNKNOWN_SHARE = 0.45;
const KNOWN_COVERED = 0.99;
const KNOWN_ANSWERED = 1.3;
/** One known word alone is too little evidence: `terraform provider` is no question about providers. */
const FEWEST_KNOWN = 2;

/**
 * How much of a question a passage covers, from 0 to 1: the share of its terms in the passage or its page, weighted by
 * significance. A word missing from the corpus weighs most and is hardly ever covered.
 */
export function coverageOf(index: SearchIndex, asked: readonly AskedTerm[], passage: number): number {
  let whole = 0;
  let covered = 0;
  const page = index.passages[passage]?.page ?? 0;
  for (const term of asked) {
    if (!term.significant) continue;
    const weight = term.rarity ** SOFTENED;
    whole += weight;
    const trust = Math.max(trustIn(index.inPassages, term, passage), ELSEWHERE * trustIn(index.inPages, term, page));
    covered += (term.known ? 1 : STAND_IN) * trust * weight;
  }
  return whole === 0 ? 0 : covered / whole;
}

/** Whether the best passages cover the question well enough to call it answered. */
export function isAnswered(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): boolean {
  if (!asked.some(isMeaningful)) return false;
  return confidence(index, asked, ranked) >= ANSWERED || isAnsweredButForUnknown(index, asked, ranked);
}

/** Whether only a few words, missing from the corpus, keep a question from being answered. */
function isAnsweredButForUnknown(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): boolean {
  const significant = asked.filter((term) => term.significant);
  const known = significant.filter((term) => term.known);
  if (known.length < FEWEST_KNOWN || known.length === significant.length) return false;
  if (1 - weightOf(known) / weightOf(significant) > UNKNOWN_SHARE) return false;
  const best = ranked.slice(0, LOOKED_AT);
  const isCovered = best.some(({ passage }) => coverageOf(index, known, passage) >= KNOWN_COVERED);
  return isCovered && confidence(index, known, ranked) >= KNOWN_ANSWERED;
}

function weightOf(terms: readonly AskedTerm[]): number {
  return terms.reduce((sum, { rarity }) => sum + rarity ** SOFTENED, 0);
}

/** In a script with spaces between words, one letter or digit means nothing: `' OR 1=1 --` is no question. */
function isMeaningful({ asked, significant, word }: AskedTerm): boolean {
  return asked && significant && (word.length > 1 || word > '\u02ff');
}

export function confidence(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): number {
  const possible = asked.reduce((sum, { rarity, significant }) => sum + (significant ? rarity : 0), 0);
  if (possible === 0) return 0;
  const coverage = Math.max(0, ...ranked.slice(0, LOOKED_AT).map(({ passage }) => coverageOf(index, asked, passage)));
  return coverage + (SCORE_SHARE * (ranked[0]?.score ?? 0)) / possible;
}

/** Trust of the best variant of a term in a document; 0 for none. */
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

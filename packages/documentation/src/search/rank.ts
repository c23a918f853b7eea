import type { Heading, SearchIndex } from './build-index.ts';
import { frequency, type Postings, rarity } from './postings.ts';
import type { AskedTerm } from './question.ts';

/** A passage found, before it is cut into an excerpt. */
export interface Ranked {
  /** Index of the passage. */
  readonly passage: number;
  readonly score: number;
}

/** The weight of the page's own score besides the passage's. */
const PAGE_SHARE = 0.8;
/** The value of a title, of one of a page's keywords, and of a section's heading that the question contains in full. */
const TITLE_SHARE = 0.7;
/** The value of a title beside a keyword of its page. */
const TITLE_BESIDE_KEYWORD = 0.2;
const KEYWORD_SHARE = 0.35;
const HEADING_SHARE = 0.05;
/** By how much more a keyword counts that is the whole question. */
const WHOLE_QUESTION = 1;
/** How much a page's second best keyword counts: a page that a question meets twice is more likely its subject. */
const SECOND_KEYWORD = 0.4;
/** How much a plain word of the question counts in a keyword: `recommend` in `Which proxy do you recommend?`. */
const PLAIN_WORD = 0.8;
/** The value of a passage that has all words of the question, beside their weights. */
const COVERAGE_SHARE = 0.1;
/** What is left of the score of a page about one program or product, if the question names neither. */
const UNNAMED = 0.88;
/** What is left of the score of a page's second passage, of that of its third, and so on: variety helps the reader. */
const NEXT_OF_PAGE = 0.6;
/** Number of best passages considered for variety. */
const CONSIDERED = 120;

/**
 * Finds the passages that fit best, best first; of equal ones the earlier in the corpus.
 * @param stops terms of the question's stop words, which only keywords contain
 */
export function rank(
  index: SearchIndex,
  asked: readonly AskedTerm[],
  most: number,
  stops: readonly number[] = [],
): Ranked[] {
  const passages = sumOf(index.inPassages, asked);
  const pages = sumOf(index.inPages, asked);
  const said = weighTerms(index, asked);
  const subjectScores = scoreKeywords(index, asked, stops);
  for (const [page, title] of index.titles.entries()) {
    const share = matchedShare(title, index.rarities, said);
    subjectScores[page] = Math.max((subjectScores[page] ?? 0) + TITLE_BESIDE_KEYWORD * share, TITLE_SHARE * share);
  }
  const considered = new Best(CONSIDERED);
  for (let passage = 0; passage < passages.length; passage += 1) {
    const own = passages[passage] ?? 0;
    if (own === 0) continue;
    const page = index.passages[passage]?.page ?? 0;
    considered.offer(
      passage,
      own +
        PAGE_SHARE * (pages[page] ?? 0) +
        (subjectScores[page] ?? 0) +
        HEADING_SHARE * matchedShare(index.headings[passage] ?? NO_HEADING, index.rarities, said),
    );
  }
  const possible = asked.reduce((sum, { rarity, significant }) => sum + (significant ? rarity : 0), 0);
  const covering = considered.sorted().map(({ passage, score }) => {
    const names = index.pages[index.passages[passage]?.page ?? 0]?.names ?? [];
    const isNamed = names.length === 0 || names.some((term) => (said[term] ?? 0) >= CERTAIN);
    const whole = score + COVERAGE_SHARE * possible * coverageOf(index, asked, passage);
    return { passage, score: isNamed ? whole : UNNAMED * whole };
  });
  const taken = new Map<number, number>();
  const varied = covering.sort(byScore).map(({ passage, score }) => {
    const page = index.passages[passage]?.page ?? 0;
    const before = taken.get(page) ?? 0;
    taken.set(page, before + 1);
    return { passage, score: score * NEXT_OF_PAGE ** before };
  });
  return varied.sort(byScore).slice(0, most);
}

function byScore(one: Ranked, other: Ranked): number {
  return other.score - one.score || one.passage - other.passage;
}

/** Sums over the question's terms, for each document, the weight of the best matching variant. */
function sumOf(postings: Postings, asked: readonly AskedTerm[]): Float64Array {
  const sums = new Float64Array(postings.documents);
  const best = new Float64Array(postings.documents);
  const touched: number[] = [];
  for (const { rarity: ceiling, variants } of asked) {
    for (const { term, trust } of variants) {
      const held = frequency(postings, term);
      const factor = trust * Math.min(ceiling, rarity(postings.documents, held));
      const start = postings.offsets[term] ?? 0;
      for (let at = start; at < start + held; at += 1) {
        const document = postings.numbers[at] ?? 0;
        const weight = factor * (postings.weights[at] ?? 0);
        const before = best[document] ?? 0;
        if (before === 0) touched.push(document);
        if (weight > before) best[document] = weight;
      }
    }
    for (const document of touched) {
      sums[document] = (sums[document] ?? 0) + (best[document] ?? 0);
      best[document] = 0;
    }
    touched.length = 0;
  }
  return sums;
}

/** The trust of each term in the question, by its number; 0 for all others. */
function weighTerms({ rarities }: SearchIndex, asked: readonly AskedTerm[]): Float32Array {
  const said = new Float32Array(rarities.length);
  for (const { variants } of asked) {
    for (const { term, trust } of variants) said[term] = Math.max(trust, said[term] ?? 0);
  }
  return said;
}

/** The score of the two best keywords of each page, by the number of the page. */
function scoreKeywords(
  { keywords, titles }: SearchIndex,
  asked: readonly AskedTerm[],
  stops: readonly number[],
): Float64Array {
  const scores = new Float64Array(titles.length);
  const parts = new Float32Array(keywords.pages.length);
  const best = new Float32Array(keywords.pages.length);
  const touched: number[] = [];
  const met: number[] = [];
  for (const { variants, asked: isWord, significant } of asked) {
    const share = isWord && !significant ? PLAIN_WORD : 1;
    // A word counts once in a keyword that has its synonym too: `license` in `license seats`.
    for (const { term, trust } of variants) {
      const weight = share * trust * (keywords.rarities[term] ?? 0);
      const end = keywords.offsets[term + 1] ?? 0;
      for (let at = keywords.offsets[term] ?? 0; at < end; at += 1) {
        const keyword = keywords.numbers[at] ?? 0;
        const before = best[keyword] ?? 0;
        if (before === 0) met.push(keyword);
        if (weight > before) best[keyword] = weight;
      }
    }
    for (const keyword of met) {
      const before = parts[keyword] ?? 0;
      if (before === 0) touched.push(keyword);
      parts[keyword] = before + (best[keyword] ?? 0);
      best[keyword] = 0;
    }
    met.length = 0;
  }
  let whole = asked.reduce((sum, { rarity, significant }) => sum + (significant ? rarity : 0), 0);
  for (const term of stops) {
    const weight = keywords.rarities[term] ?? 0;
    whole += weight;
    const end = keywords.offsets[term + 1] ?? 0;
    for (let at = keywords.offsets[term] ?? 0; at < end; at += 1) {
      const keyword = keywords.numbers[at] ?? 0;
      const before = parts[keyword] ?? 0;
      // A keyword that shares only stop words with the question says nothing.
      if (before > 0) parts[keyword] = before + weight;
    }
  }
  if (whole === 0) return scores;
  const seconds = new Float64Array(titles.length);
  for (const keyword of touched) {
    const total = keywords.totals[keyword] ?? 1;
    const matched = Math.min(total, parts[keyword] ?? 0) ** 2 / total;
    const share = Math.min(1, matched / whole);
    const page = keywords.pages[keyword] ?? 0;
    const score = KEYWORD_SHARE * matched * (1 + WHOLE_QUESTION * share * share);
    const first = scores[page] ?? 0;
    scores[page] = Math.max(first, score);
    seconds[page] = Math.max(seconds[page] ?? 0, Math.min(first, score));
  }
  return scores.map((first, page) => first + SECOND_KEYWORD * (seconds[page] ?? 0));
}

/** The least trust of a word itself, in any spelling; that of a synonym is less. */
const CERTAIN = 0.9;

const NO_HEADING: Heading = { terms: [], rarity: 0 };

/**
 * The share of a heading in the question, times its significance: a full title counts with all its rarity, one of which half is
 * missing with a quarter.
 */
function matchedShare({ terms, rarity }: Heading, rarities: Float32Array, said: Float32Array): number {
  let part = 0;
  for (const term of terms) {
    const trust = said[term] ?? 0;
    if (trust > 0) part += trust * (rarities[term] ?? 0);
  }
  return part === 0 ? 0 : (part * part) / rarity;
}

/** Keeps the best of many scores without sorting them all. */
class Best {
  readonly #most: number;
  readonly #kept: Ranked[] = [];
  #least = 0;

  constructor(most: number) {
    this.#most = most;
  }

  offer(passage: number, score: number): void {
    if (this.#kept.length >= this.#most * 2) this.#trim();
    if (score > this.#least) this.#kept.push({ passage, score });
  }

  sorted(): readonly Ranked[] {
    this.#trim();
    return this.#kept;
  }

  #trim(): void {
    this.#kept.sort(byScore);
    this.#kept.length = Math.min(this.#kept.length, this.#most);
    if (this.#kept.length === this.#most) this.#least = this.#kept.at(-1)?.score ?? 0;
  }
}

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
/** The same where pages have keywords, which raise the scores. */
const ANSWERED_WITH_KEYWORDS = 0.93;

/**
 * A question with unknown words is answered when the best passages cover all its other words, and clearly. The unknown
 * words may be this share of the question, by weight; at 0.47 the benchmark's questions on absent subjects begin to pass.
 */
const UNKNOWN_SHARE = 0.44;
const KNOWN_COVERED = 0.99;
const KNOWN_ANSWERED = 1.4;
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
  const least = index.keywords.pages.length === 0 ? ANSWERED : ANSWERED_WITH_KEYWORDS;
  return confidence(index, asked, ranked) >= least || isAnsweredButForUnknown(index, asked, ranked);
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

function confidence(index: SearchIndex, asked: readonly AskedTerm[], ranked: readonly Ranked[]): number {
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

import { passagesOf } from '../corpus/passages.ts';
import type { Sliced } from '../corpus/sliced.ts';
import { type CorpusPage, type Fence, fenceAfter } from '../corpus/split.ts';
import { fold, stem } from './fold.ts';
import { eachWritten } from './letters.ts';
import { frequency, type Postings, postingsBuilder, rarity } from './postings.ts';
import { type Spellings, spellingsOf } from './spellings.ts';
import { isStopWord, STOP_WORDS } from './synonym-groups.ts';
import { piecesOf, termsOf, wordOf } from './words.ts';

/**
 * Numbers the terms of a corpus. A term is the stem of a word, of an identifier, or of a part of an identifier; in scripts
 * without spaces two neighbours, or a single character.
 */
interface Vocabulary {
  readonly size: () => number;
  /** Number of a term, or undefined for one missing from the corpus. */
  readonly find: (term: string) => number | undefined;
  /** Numbers of the terms that differ from a word by their accents alone, the word's own included. */
  readonly alike: (word: string) => readonly number[];
  /** Numbers of the terms with a character of a script without spaces. */
  readonly around: (character: string) => readonly number[];
  /** All words of the corpus, lower case, with the number of the term of each; without those of scripts without spaces. */
  readonly spellings: () => Iterable<readonly [word: string, term: number]>;
  /** Appends the terms of a text to a list, in order, those of an identifier's parts after its own. */
  readonly read: (text: string, into: number[]) => void;
}

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  /** Terms of every known spelling: most words of a corpus are repetitions. */
  const known = new Map<string, readonly number[]>();
  /** Terms with accents, by what is left without them. */
  const accented = new Map<string, number[]>();

  /** Terms of scripts without spaces, by the characters they consist of. */
  const holding = new Map<string, number[]>();

  const numbered = (term: string): number => {
    const number = numbers.get(term) ?? numbers.size;
    if (number === numbers.size) numbers.set(term, number);
    return number;
  };
  const spellings = new Map<string, number>();
  const numberOf = (word: string): number => {
    const term = stem(word);
    const met = numbers.size;
    const number = numbered(term);
    spellings.set(word, number);
    if (number < met) return number;
    const bare = stem(fold(word));
    if (bare !== term) accented.set(bare, [...(accented.get(bare) ?? []), number]);
    return number;
  };
  const numberOfPair = (pair: string): number => {
    const met = numbers.size;
    const number = numbered(pair);
    if (number < met) return number;
    for (const character of new Set(pair)) {
      const list = holding.get(character);
      if (list === undefined) holding.set(character, [number]);
      else list.push(number);
    }
    return number;
  };
  const termsIn = (spaced: string): readonly number[] => {
    const word = wordOf(spaced);
    return word === null || word.whole === '' ? [] : [word.whole, ...word.parts].map(numberOf);
  };
  const learn = (written: string): readonly number[] => {
    const pieces = piecesOf(written);
    // Runs without spaces are whole clauses, which hardly repeat: they are not cached.
    if (pieces !== null) {
      return pieces.flatMap((piece) =>
        piece.kind === 'spaced' ? termsIn(piece.text) : termsOf(piece).map(numberOfPair),
      );
    }
    const terms = termsIn(written);
    known.set(written, terms);
    return terms;
  };
  return {
    size: () => numbers.size,
    find: (term) => numbers.get(term),
    alike: (word) => {
      const bare = stem(fold(word));
      const own = numbers.get(bare);
      return [...(own === undefined ? [] : [own]), ...(accented.get(bare) ?? [])];
    },
    around: (character) => holding.get(character) ?? [],
    spellings: () => spellings,
    read: (text, into) => {
      eachWritten(text, (written) => {
        for (const term of known.get(written) ?? learn(written)) into.push(term);
      });
    },
  };
}

interface IndexedPage {
  readonly title: string;
  readonly url: string | null;
  /** Terms that name the one thing that the page is about; empty for a page that any question may be about. */
  readonly names: readonly number[];
}

/** A passage as search hands it out. */
export interface IndexedPassage {
  /** Index of its page. */
  readonly page: number;
  readonly headings: readonly string[];
  readonly text: string;
}

export interface SearchIndex {
  readonly vocabulary: Vocabulary;
  readonly spellings: Spellings;
  readonly pages: readonly IndexedPage[];
  readonly passages: readonly IndexedPassage[];
  readonly inPassages: Postings;
  readonly inPages: Postings;
  /** The significance of each term, by its number. */
  readonly rarities: Float32Array;
  /** The title of each page. */
  readonly titles: readonly Heading[];
  readonly keywords: Keywords;
  /** Each passage's own heading. */
  readonly headings: readonly Heading[];
}

/** The keywords of all pages in flat arrays, by the terms that they contain: a question looks only at those that share one. */
export interface Keywords {
  /** Index of a term's first keyword; that of the next term ends it. */
  readonly offsets: Uint32Array;
  readonly numbers: Uint32Array;
  /** Page of each keyword. */
  readonly pages: Uint32Array;
  /** Total significance of the terms of each keyword. */
  readonly totals: Float32Array;
  /** The significance of each term in keywords: for most words their rarity, for stop words of how few pages' keywords have them. */
  readonly rarities: Float32Array;
}

/** The distinct terms of a heading without stop words, and their total significance. */
export interface Heading {
  readonly terms: readonly number[];
  readonly rarity: number;
}

/**
 * Weights of the fields of a passage (BM25F), the strength of their length normalization, and the weight at which a term counts
 * half. Headings indicate more than prose, prose more than code.
 */
const PASSAGE = {
  saturation: 1.2,
  title: { weight: 3, normalised: 0.3 },
  heading: { weight: 3, normalised: 0.3 },
  above: { weight: 1, normalised: 0.3 },
  prose: { weight: 1, normalised: 0.65 },
  code: { weight: 0.5, normalised: 0.7 },
  keywords: { weight: 0.8, normalised: 0 },
} as const;
type Field = Exclude<keyof typeof PASSAGE, 'saturation'>;
const FIELDS: readonly Field[] = ['title', 'heading', 'above', 'prose', 'code', 'keywords'];

/** The same for a whole page. The lead is its first words, in which most pages introduce their subject. */
const PAGE = {
  saturation: 4,
  normalised: 0.6,
  lead: 1,
  heading: 2,
  prose: 0.5,
  code: 0.2,
  keywords: 2,
  leadWords: 60,
} as const;

type Terms = Readonly<Record<Field, readonly number[]>>;

const NO_TERMS: readonly number[] = [];

/** Indexes the pages of a corpus. */
export function* buildIndex(pages: readonly CorpusPage[]): Sliced<SearchIndex> {
  const vocabulary = createVocabulary();
  // Read into one list and copied: a growing list reserves room for seventeen, and most headings have two or three.
  const met: number[] = [];
  const read = (...texts: readonly string[]): readonly number[] => {
    met.length = 0;
    for (const text of texts) vocabulary.read(text, met);
    return met.length === 0 ? NO_TERMS : met.slice();
  };
  const passages: IndexedPassage[] = [];
  const terms: Terms[] = [];
  const titles: (readonly number[])[] = [];
  const names: (readonly number[])[] = [];
  const keywords: PageKeyword[] = [];
  /** Headings of pages with keywords, by their terms; null for one that several pages have. */
  const headings = new Map<string, PageKeyword | null>();
  for (const [number, page] of pages.entries()) {
    const title = read(page.title);
    titles.push(title);
    names.push(read(page.names ?? ''));
    for (const keyword of (page.keywords ?? '').split(',')) {
      const distinct = new Set(read(keyword));
      if (distinct.size > 0) keywords.push({ page: number, terms: [...distinct] });
    }
    // Keywords belong to the page as a whole; its first passage represents it.
    let keywordTerms: readonly number[] = [...new Set(read(withoutStopWords(page.keywords ?? '')))];
    for (const { headings: own, text } of passagesOf(page)) {
      passages.push({ page: number, headings: own, text });
      const { prose, code } = partsOf(text);
      const heading = read(own.at(-1) ?? '');
      if (page.keywords && heading.length > 0) {
        const key = heading.join();
        const other = headings.get(key);
        // `Steps` or `Limits` on many pages distinguishes none.
        const isShared = other === null || (other !== undefined && other.page !== number);
        headings.set(key, isShared ? null : { page: number, terms: [...new Set(heading)] });
      }
      terms.push({
        title,
        heading,
        above: read(...own.slice(0, -1)),
        prose: read(prose),
        code: read(code),
        keywords: keywordTerms,
      });
      keywordTerms = NO_TERMS;
      yield;
    }
  }
  const inPassages = yield* indexPassages(terms, vocabulary.size());
  const rarities = Float32Array.from({ length: vocabulary.size() }, (_, term) =>
    rarity(inPassages.documents, frequency(inPassages, term)),
  );
  const stops = new Set(stopTerms(vocabulary));
  const spellings = spellingsOf(vocabulary.spellings(), (term) => frequency(inPassages, term));
  yield;
  return {
    vocabulary,
    spellings,
    pages: pages.map(({ title, url }, number) => ({ title, url, names: names[number] ?? NO_TERMS })),
    passages,
    inPassages,
    inPages: yield* indexPages(passages, terms, pages.length, vocabulary.size()),
    rarities,
    titles: titles.map((title) => headingOf(title, rarities, stops)),
    keywords: indexKeywords(
      [...keywords, ...[...headings.values()].filter((heading) => heading !== null)],
      rarities,
      stops,
      pages.length,
    ),
    headings: terms.map(({ heading }) => headingOf(heading, rarities, stops)),
  };
}

const NO_HEADING: Heading = { terms: NO_TERMS, rarity: 0 };

/** @param stops terms that no question is searched by, so that a heading without them is complete */
function headingOf(terms: readonly number[], rarities: Float32Array, stops: ReadonlySet<number>): Heading {
  if (terms.length === 0) return NO_HEADING;
  const distinct = [...new Set(terms)].filter((term) => !stops.has(term));
  return { terms: distinct, rarity: distinct.reduce((sum, term) => sum + (rarities[term] ?? 0), 0) };
}

interface PageKeyword {
  readonly page: number;
  readonly terms: readonly number[];
}

function stopTerms(vocabulary: Vocabulary): readonly number[] {
  return STOP_WORDS.flatMap((word) => vocabulary.find(stem(word)) ?? []);
}

function indexKeywords(
  keywords: readonly PageKeyword[],
  rarities: Float32Array,
  stops: ReadonlySet<number>,
  pages: number,
): Keywords {
  const offsets = new Uint32Array(rarities.length + 1);
  for (const { terms } of keywords) for (const term of terms) offsets[term + 1] = (offsets[term + 1] ?? 0) + 1;
  for (let term = 1; term < offsets.length; term += 1) offsets[term] = (offsets[term] ?? 0) + (offsets[term - 1] ?? 0);
  const numbers = new Uint32Array(offsets.at(-1) ?? 0);
  const next = offsets.slice();
  for (const [number, { terms }] of keywords.entries()) {
    for (const term of terms) {
      const at = next[term] ?? 0;
      numbers[at] = number;
      next[term] = at + 1;
    }
  }
  const own = rarities.slice();
  for (const term of stops) {
    const having = new Set<number | undefined>();
    for (const number of numbers.subarray(offsets[term], offsets[term + 1])) having.add(keywords[number]?.page);
    own[term] = Math.min(rarities[term] ?? 0, rarity(pages, having.size));
  }
  return {
    offsets,
    numbers,
    pages: Uint32Array.from(keywords, ({ page }) => page),
    totals: Float32Array.from(keywords, ({ terms }) => terms.reduce((sum, term) => sum + (own[term] ?? 0), 0)),
    rarities: own,
  };
}

function* indexPassages(all: readonly Terms[], size: number): Sliced<Postings> {
  const builder = postingsBuilder(size, PASSAGE.saturation);
  const mean = Object.fromEntries(
    FIELDS.map((field) => [field, Math.max(1, all.reduce((sum, terms) => sum + terms[field].length, 0) / all.length)]),
  ) as Record<Field, number>;
  for (const terms of all) {
    for (const field of FIELDS) {
      const { weight, normalised } = PASSAGE[field];
      const share = weight / (1 - normalised + (normalised * terms[field].length) / mean[field]);
      for (const term of terms[field]) builder.add(term, share);
    }
    builder.next();
    yield;
  }
  return builder.finish();
}

function* indexPages(
  passages: readonly IndexedPassage[],
  all: readonly Terms[],
  pages: number,
  size: number,
): Sliced<Postings> {
  const builder = postingsBuilder(size, PAGE.saturation);
  const lengths = new Float64Array(pages);
  for (const [number, { page }] of passages.entries()) {
    lengths[page] = (lengths[page] ?? 0) + (all[number]?.prose.length ?? 0) + 0.3 * (all[number]?.code.length ?? 0);
  }
  const mean = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pages));
  let number = 0;
  for (let page = 0; page < pages; page += 1) {
    const share = 1 / (1 - PAGE.normalised + (PAGE.normalised * (lengths[page] ?? 0)) / mean);
    let lead: number = PAGE.leadWords;
    for (; passages[number]?.page === page; number += 1) {
      const { heading = [], prose = [], code = [], keywords = [] } = all[number] ?? {};
      for (const term of heading) builder.add(term, PAGE.heading * share);
      for (const term of prose) builder.add(term, PAGE.prose * share);
      for (const term of code) builder.add(term, PAGE.code * share);
      for (const term of keywords) builder.add(term, PAGE.keywords);
      for (const term of prose.slice(0, lead)) builder.add(term, PAGE.lead);
      lead = Math.max(0, lead - prose.length);
      yield;
    }
    builder.next();
  }
  return builder.finish();
}

function withoutStopWords(keywords: string): string {
  return keywords
    .split(/[\s,]+/)
    .filter((word) => !isStopWord(word.toLowerCase()))
    .join(' ');
}

/** Splits a text into the parts outside and inside its fenced blocks. */
function partsOf(text: string): { prose: string; code: string } {
  const parts: Record<'prose' | 'code', string[]> = { prose: [], code: [] };
  let open: Fence | null = null;
  for (const line of text.split('\n')) {
    const next = fenceAfter(open, line);
    // A line that opens or closes a block belongs to neither.
    if (open !== null && next !== null) parts.code.push(line);
    else if (open === null && next === null) parts.prose.push(line);
    open = next;
  }
  return { prose: parts.prose.join('\n'), code: parts.code.join('\n') };
}

import type { SearchIndex } from './build-index.ts';
import { fold, stem } from './fold.ts';
import { frequency, rarity } from './postings.ts';
import { compoundsAt, type Reading, readingsOf } from './reading.ts';
import { GROUPS, isPlainWord, isStopWord } from './synonym-groups.ts';
import { type Word, wordsOf } from './words.ts';

/** Turns of phrase whose words say little one by one, and what they mean. */
const PHRASES: readonly (readonly [phrase: string, meaning: string])[] = [
  ['log in', 'login'],
  ['log on', 'login'],
  ['sign in', 'login'],
  ['single sign on', 'sso'],
  ['sign up', 'signup'],
  ['log out', 'logout'],
  ['sign out', 'logout'],
  ['set up', 'setup'],
  ['time out', 'timeout'],
  ['times out', 'timeout'],
  ['too long', 'timeout'],
  ['give up', 'timeout'],
  ['how long', 'timeout'],
  ['too large', 'limit'],
  ['too big', 'limit'],
  ['too many', 'limit'],
  ['at most', 'maximum'],
  ['how many', 'limit'],
  ['how much', 'price'],
  ['how fast', 'performance'],
  ['how slow', 'performance'],
  ['at the same time', 'parallel'],
  ['at once', 'parallel'],
  ['more than one', 'multiple'],
  ['turn on', 'enable'],
  ['turn off', 'disable'],
  ['switch on', 'enable'],
  ['switch off', 'disable'],
  ['shut down', 'stop'],
  ['get rid of', 'remove'],
  ['carry on', 'continue'],
  ['pick up', 'resume'],
  ['make sure', 'ensure'],
  ['keep track', 'track'],
  ['find out', 'discover'],
  ['who changed', 'audit'],
  ['who did', 'audit'],
  ['what changed', 'changelog'],
  ['look up', 'search'],
  ['look for', 'search'],
  ['step by step', 'tutorial'],
  ['getting started', 'quickstart'],
  ['get started', 'quickstart'],
  ['not working', 'troubleshoot'],
  ['not work', 'troubleshoot'],
  ['stopped working', 'troubleshoot'],
  ['no longer', 'deprecated'],
  ['go back', 'rollback'],
  ['by hand', 'manual'],
  ['my own', 'custom'],
  ['on my computer', 'local'],
  ['on my machine', 'local'],
  ['get told', 'notification'],
  ['be told', 'notification'],
  ['user name', 'username'],
  ['file system', 'filesystem'],
  ['open source', 'license'],
  ['load balancer', 'balancer'],
  ['air gapped', 'offline'],
  ['do you have', 'missing'],
  ['do you support', 'missing'],
  ['do you offer', 'missing'],
  ['does it have', 'missing'],
  ['does it support', 'missing'],
  ['does it offer', 'missing'],
  ['is there', 'missing'],
  ['are there', 'missing'],
  ['can it', 'missing'],
];

const LONGEST_PHRASE = 4;

/** Meanings of the turns of phrase in a question, as stems. */
export function phrasesIn(words: readonly string[]): string[] {
  const meanings = new Set<string>();
  for (let at = 0; at < words.length; at += 1) {
    for (let length = 2; length <= LONGEST_PHRASE; length += 1) {
      const said = words.slice(at, at + length).join(' ');
      for (const [phrase, meaning] of PHRASES) if (phrase === said) meanings.add(stem(meaning));
    }
  }
  return [...meanings];
}

const SYNONYMS: ReadonlyMap<string, readonly string[]> = (() => {
  const all = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const group = line.split(' ').map(stem);
    for (const term of group) {
      const others = all.get(term) ?? new Set<string>();
      for (const other of group) if (other !== term) others.add(other);
      all.set(term, others);
    }
  }
  return new Map([...all].map(([term, others]) => [term, [...others]]));
})();

/** Synonyms of a term, as stems. */
export function synonymsOf(term: string): readonly string[] {
  return SYNONYMS.get(term) ?? [];
}

/** A term that may answer for a word of the question. */
export interface Variant {
  /** Number in the vocabulary. */
  readonly term: number;
  /** 1 for the word itself, less for its variants. */
  readonly trust: number;
}

/** One term of a question. */
export interface AskedTerm {
  /** As typed, or as certainly corrected; lower case. */
  readonly word: string;
  /** The same as shown to a person: an identifier with its marks and capitals. */
  readonly shown: string;
  /** What was typed, where it was read as another word; as `shown`. */
  readonly typed: string | null;
  /** Possible meanings of a word missing from the corpus; not searched for. */
  readonly suggestion: string | null;
  /** Its significance. A word missing from the corpus has the highest: it is the best sign of a foreign question. */
  readonly rarity: number;
  /** Whether the corpus contains the word itself, not only its variants. */
  readonly known: boolean;
  /** False for a turn of phrase, which is no word of the question. */
  readonly asked: boolean;
  /** Whether it indicates the question's subject; other words improve the ranking, but may be missing. */
  readonly significant: boolean;
  readonly variants: readonly Variant[];
}

/** How far a synonym counts as the word itself. */
const SYNONYM_TRUST = 0.6;

/** The weight of a word with other accents, or with none: exact matches come first. */
const ACCENT_TRUST = 0.99;

/** The weight of a corrected word: exact matches come first. */
const CORRECTED_TRUST = 0.97;

/** The terms of a question, in the order of its words, each once. Empty for a question of stop words alone. */
export function readQuestion(index: SearchIndex, question: string): AskedTerm[] {
  const readings = readingsOf(index, wordsOf(question));
  const words = readings.map(({ word }) => word);
  const terms = new Map<string, AskedTerm>();
  for (const [at, reading] of readings.entries()) {
    const { word } = reading;
    if (word.pairs.length > 0) {
      for (const pair of findKnownPairs(index, word.pairs))
        if (!terms.has(pair)) terms.set(pair, pairTerm(index, word, pair));
      continue;
    }
    const term = stem(word.whole);
    if (!isStopWord(fold(word.whole)) && !terms.has(term))
      terms.set(term, readTerm(index, reading, compoundsAt(words, at)));
  }
  const named = [...terms.values()];
  // If the question names no subject, its plain words are the terms.
  const plain = named.some(({ word }) => !isPlainWord(word)) ? isPlainWord : () => false;
  const asked = named.map((term) => ({ ...term, significant: !plain(term.word) }));
  const phrases = phrasesIn(words.map(({ whole }) => fold(whole))).filter((term) => !terms.has(term));
  return [...asked, ...phrases.map((term) => phraseTerm(index, term))];
}

function readTerm(index: SearchIndex, reading: Reading, compounds: readonly string[]): AskedTerm {
  const { whole } = reading.word;
  const term = stem(whole);
  const own = index.vocabulary.find(term);
  const alike = index.vocabulary.alike(whole);
  const joined = variantsOf(index, compounds.map(stem), 1);
  // Written without its accents, or as one word with its neighbour, a word is still that word.
  const held =
    countPassages(index, alike) ||
    countPassages(
      index,
      joined.map((variant) => variant.term),
    );
  return {
    word: whole,
    shown: reading.word.shown,
    rarity: rarity(index.inPassages.documents, held),
    known: held > 0,
    asked: true,
    significant: true,
    typed: reading.typed,
    suggestion: reading.suggestion,
    variants: [
      ...variantsOf(index, [term], 1),
      ...joined,
      ...alike.filter((other) => other !== own).map((other) => ({ term: other, trust: ACCENT_TRUST })),
      ...variantsOf(index, synonymsOf(own === undefined ? stem(fold(whole)) : term), SYNONYM_TRUST),
    ].map((variant) => ({ ...variant, trust: variant.trust * (reading.typed === null ? 1 : CORRECTED_TRUST) })),
  };
}

/**
 * The pairs of neighbours to search for. Around a word unknown to the dictionary, a pair may span two words: a pair missing from
 * the corpus is dropped if both its characters are in known pairs.
 */
function findKnownPairs({ vocabulary }: SearchIndex, pairs: readonly string[]): string[] {
  const known = (at: number): boolean => vocabulary.find(pairs[at] ?? '') !== undefined;
  return pairs.filter((_, at) => known(at) || !(known(at - 1) && known(at + 1)));
}

/** Two neighbours of a word in a script without spaces. The pairs of a long word together count not much more than one. */
function pairTerm(index: SearchIndex, { whole, pairs }: Word, pair: string): AskedTerm {
  const single = Array.from(pair).length === 1;
  const variants = [
    ...variantsOf(index, [pair], 1),
    ...(single ? index.vocabulary.around(pair).map((term) => ({ term, trust: 1 })) : []),
  ];
  const held = countPassages(
    index,
    variants.map(({ term }) => term),
  );
  return {
    word: whole,
    shown: whole,
    rarity: rarity(index.inPassages.documents, held) / Math.sqrt(pairs.length),
    known: held > 0,
    asked: true,
    significant: true,
    typed: null,
    suggestion: null,
    variants,
  };
}

/** Number of passages with at least one of some terms; those with several may count more than once. */
function countPassages({ inPassages }: SearchIndex, terms: readonly number[]): number {
  const sum = terms.reduce((held, term) => held + frequency(inPassages, term), 0);
  return Math.min(inPassages.documents, sum);
}

function phraseTerm(index: SearchIndex, term: string): AskedTerm {
  return {
    word: term,
    shown: term,
    rarity: rarity(index.inPassages.documents, 0),
    known: false,
    asked: false,
    significant: false,
    typed: null,
    suggestion: null,
    variants: variantsOf(index, [term, ...synonymsOf(term)], SYNONYM_TRUST),
  };
}

function variantsOf({ vocabulary }: SearchIndex, terms: readonly string[], trust: number): Variant[] {
  return terms.flatMap((spelling) => {
    const term = vocabulary.find(spelling);
    return term === undefined ? [] : [{ term, trust }];
  });
}

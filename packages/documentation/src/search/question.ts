import type { SearchIndex } from './build-index.ts';
import { fold, stem } from './fold.ts';
import { frequency, type Postings, rarity } from './postings.ts';
import type { Correction } from './spellings.ts';
import { GROUPS, isPlainWord, isStopWord } from './synonym-groups.ts';
import { type Word, wordOf, wordsOf } from './words.ts';

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
  ['take down', 'stop'],
  ['roll back', 'rollback'],
  ['back up', 'backup'],
  ['lock out', 'lockout'],
  ['kick out', 'revoke'],
  ['throw out', 'revoke'],
  ['take away', 'revoke'],
  ['hand over', 'export'],
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
  ['hook up', 'connect'],
  ['plug in', 'connect'],
  ['cut off', 'revoke'],
  ['locked out', 'lockout'],
  ['go live', 'production'],
  ['going live', 'production'],
  ['runs out', 'expire'],
  ['run out', 'expire'],
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
  ['is down', 'outage'],
  ['goes down', 'outage'],
  ['went down', 'outage'],
  ['no internet', 'offline'],
  ['without internet', 'offline'],
  ['allowed to', 'permission'],
  ['who can', 'permission'],
  ['who may', 'permission'],
  ['how large', 'size'],
  ['how big', 'size'],
  ['used up', 'limit'],
];

const LONGEST_PHRASE = 4;

/** Verbs whose object may be inside the phrase: `turn the endpoint off`. */
const SEPARABLE: ReadonlySet<string> = new Set(
  'turn switch shut set take roll back lock kick throw cut hand'.split(' '),
);
/** Number of words that such an object has at most. */
const LONGEST_OBJECT = 3;

const MEANINGS: ReadonlyMap<string, string> = new Map(PHRASES);

/** Meanings of the turns of phrase in a question, as stems. */
export function phrasesIn(words: readonly string[]): string[] {
  const meanings = new Set<string>();
  const take = (said: readonly string[]): void => {
    const meaning = MEANINGS.get(said.join(' '));
    if (meaning !== undefined) meanings.add(stem(meaning));
  };
  for (const [at, word] of words.entries()) {
    for (let length = 2; length <= LONGEST_PHRASE; length += 1) take(words.slice(at, at + length));
    if (!SEPARABLE.has(word)) continue;
    for (const particle of words.slice(at + 2, at + 2 + LONGEST_OBJECT)) take([word, particle]);
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

/** Quantities and versions of the asker: `5000 users`, `after 6pm`, `22.04`. An integer of three digits may be a status code. */
const QUANTITY = /^(?:\d{1,2}|\d{4,}|\d+(?:\.\d+)+|\d+(?:am|pm|h|k|gb|mb|tb|ms))$/;

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
  const isPlain = ({ word }: AskedTerm): boolean => isPlainWord(word) || QUANTITY.test(word);
  const namesSubject = named.some((term) => !isPlain(term));
  const asked = named.map((term) => ({ ...term, significant: !(namesSubject && isPlain(term)) }));
  const phrases = phrasesIn(words.map(({ whole }) => fold(whole))).filter((term) => !terms.has(term));
  return [...asked, ...phrases.map((term) => phraseTerm(index, term))];
}

/** Numbers of the terms of a question's stop words: keywords contain them too (`how long is the log kept`). */
export function stopTermsIn({ vocabulary }: SearchIndex, question: string): readonly number[] {
  const terms = new Set<number>();
  for (const { whole } of wordsOf(question)) {
    const term = isStopWord(fold(whole)) ? vocabulary.find(stem(whole)) : undefined;
    if (term !== undefined) terms.add(term);
  }
  return [...terms];
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

/** Halves are checked in at most this many passages that contain both, the first ones. */
const LOOKED_INTO = 150;
/** The shortest half of a joined word. */
const SHORTEST = 2;

/**
 * Splits a word that the corpus writes as two: `failclosed` is `fail closed`. Two known words are no evidence, because any word
 * may be made of some: they must be adjacent somewhere.
 * @param word lower case
 * @param budget how many passages may still be checked for this question; checked ones are subtracted
 * @returns the halves, or null
 */
export function halvesOf(
  index: SearchIndex,
  word: string,
  budget: { passages: number },
): readonly [string, string] | null {
  for (let at = SHORTEST; at <= word.length - SHORTEST; at += 1) {
    const [left, right] = [word.slice(0, at), word.slice(at)];
    if (isStopWord(left) || isStopWord(right)) continue;
    const [one, other] = [index.vocabulary.find(stem(left)), index.vocabulary.find(stem(right))];
    if (one === undefined || other === undefined) continue;
    const both = inBoth(index.inPassages, [one, other], Math.min(budget.passages, LOOKED_INTO));
    budget.passages -= both.length;
    if (areNeighbours(index, [left, right], both)) return [left, right];
  }
  return null;
}

function areNeighbours(
  index: SearchIndex,
  [left, right]: readonly [string, string],
  passages: readonly number[],
): boolean {
  if (!/^[\p{L}\p{N}]+$/u.test(left + right)) return false;
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${left}[\\s_./-]${right}(?![\\p{L}\\p{N}])`, 'iu');
  return passages.some((passage) => {
    const { page = 0, headings = [], text = '' } = index.passages[passage] ?? {};
    return [index.pages[page]?.title ?? '', ...headings, text].some((part) => pattern.test(part));
  });
}

/** The first documents that contain two terms. */
function inBoth({ offsets, numbers }: Postings, [one, other]: readonly [number, number], most: number): number[] {
  const both: number[] = [];
  let [at, next] = [offsets[one] ?? 0, offsets[other] ?? 0];
  const [end, last] = [offsets[one + 1] ?? 0, offsets[other + 1] ?? 0];
  while (at < end && next < last && both.length < most) {
    const [mine, theirs] = [numbers[at] ?? 0, numbers[next] ?? 0];
    if (mine === theirs) both.push(mine);
    if (mine <= theirs) at += 1;
    if (theirs <= mine) next += 1;
  }
  return both;
}

/** A word of a question in its searched form. */
interface Reading {
  readonly word: Word;
  /** What was typed, as shown to a person, where the corpus has another spelling. */
  readonly typed: string | null;
  /** Possible meanings of a word missing from the corpus. It is not searched for. */
  readonly suggestion: string | null;
}

/** Maximum number of looked-up spellings in a question: one with more unknown words is not about this corpus. */
const MOST_LOOKED_UP = 12;

/** In so many passages neighbours are looked for that a question writes as one word. */
const MOST_LOOKED_INTO = 600;

/**
 * Corrects words missing from the corpus where the meaning is certain: two words written as one, or a mistyped word. Words of the
 * corpus stay unchanged, and so do everyday words.
 */
export function readingsOf(index: SearchIndex, words: readonly Word[]): Reading[] {
  const budget = { passages: MOST_LOOKED_INTO };
  let left = MOST_LOOKED_UP;
  const correct = (word: string): Correction | null => {
    left -= 1;
    return left < 0 ? null : index.spellings.correct(fold(word));
  };
  return words.flatMap((word, at) => {
    const folded = fold(word.whole);
    const stands = word.pairs.length > 0 || isStopWord(folded) || isPlainWord(folded) || isHeld(index, words, at);
    return stands || left <= 0 ? [asTyped(word)] : read(index, word, correct, budget);
  });
}

type Correct = (word: string) => Correction | null;

function read(index: SearchIndex, word: Word, correct: Correct, budget: { passages: number }): Reading[] {
  const meant = (other: Word): Reading => ({ word: other, typed: word.shown, suggestion: null });
  const identifier = word.parts.length > 0 ? identifierFor(index, word, correct) : null;
  if (identifier !== null) return [meant(identifier)];
  const halves = halvesOf(index, word.whole, budget);
  if (halves !== null) return halves.map((half) => meant(plain(half)));
  const correction = correct(word.whole);
  if (correction === null) return [asTyped(word)];
  const { word: other, sure, kind } = correction;
  const small = isStopWord(other);
  // Three letters are too few for certainty, except `teh`. An identifier of known words is probably another one.
  const certain =
    sure &&
    (small || word.whole.length > 3) &&
    (word.parts.length === 0 || kind === 'transposed' || kind === 'doubled');
  if (certain) return [meant(plain(other))];
  return [{ ...asTyped(word), suggestion: small || word.whole.length <= 3 ? null : other }];
}

/**
 * Identifiers are compared by their parts: a part missing from the corpus is corrected, or else a known one, if that makes an
 * identifier of the corpus (`LICENCE_FILE`, where both spellings of the word occur).
 */
function identifierFor(index: SearchIndex, { shown, parts: typed }: Word, correct: Correct): Word | null {
  const sure = (part: string): string => {
    const correction = correct(part);
    return correction?.sure === true && !isStopWord(correction.word) ? correction.word : part;
  };
  const parts = typed.map((part) => (holds(index, part) ? part : sure(part)));
  const candidates = [parts, ...parts.map((part, at) => parts.with(at, sure(part)))];
  const found = candidates.find((candidate) => holds(index, candidate.join('')));
  return found ? { whole: found.join(''), shown: respell(shown, typed, found), parts: found, pairs: [] } : null;
}

/** An identifier with some of its parts exchanged, in the case in which they were written. */
function respell(written: string, typed: readonly string[], meant: readonly string[]): string {
  let text = '';
  let end = 0;
  for (const [at, part] of typed.entries()) {
    const begin = written.toLowerCase().indexOf(part, end);
    if (begin < 0) return meant.join('_'); // a letter that is two in lower case
    const own = written.slice(begin, begin + part.length);
    text += written.slice(end, begin) + inCaseOf(own, meant[at] ?? '');
    end = begin + part.length;
  }
  return text + written.slice(end);
}

function inCaseOf(own: string, word: string): string {
  if (own === own.toLowerCase()) return word;
  return own === own.toUpperCase() ? word.toUpperCase() : word.slice(0, 1).toUpperCase() + word.slice(1);
}

function isHeld(index: SearchIndex, words: readonly Word[], at: number): boolean {
  return [words[at]?.whole ?? '', ...compoundsAt(words, at)].some((word) => holds(index, word));
}

function holds({ vocabulary }: SearchIndex, word: string): boolean {
  return vocabulary.find(stem(word)) !== undefined || vocabulary.alike(word).length > 0;
}

/** A word joined with its neighbours: `web sockets` is also written `websockets`. */
function compoundsAt(words: readonly Word[], at: number): string[] {
  const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
  return [before && word ? before.whole + word.whole : '', word && after ? word.whole + after.whole : ''].filter(
    (compound) => compound !== '',
  );
}

function asTyped(word: Word): Reading {
  return { word, typed: null, suggestion: null };
}

function plain(word: string): Word {
  return wordOf(word) ?? { whole: word, shown: word, parts: [], pairs: [] };
}

import type { SearchIndex } from './build-index.ts';
import { fold, stem } from './fold.ts';
import type { Postings } from './postings.ts';
import type { Correction } from './spellings.ts';
import { isPlainWord, isStopWord } from './synonym-groups.ts';
import { type Word, wordOf } from './words.ts';

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
export interface Reading {
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
export function compoundsAt(words: readonly Word[], at: number): string[] {
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

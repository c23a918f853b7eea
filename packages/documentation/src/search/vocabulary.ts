import { fold } from './fold.ts';
import { eachWritten } from './letters.ts';
import { stem } from './stem.ts';
import { piecesOf, termsOf } from './unspaced.ts';
import { wordOf } from './words.ts';

/**
 * Numbers the terms of a corpus. A term is the stem of a word, of an identifier, or of a part of an identifier; in scripts
 * without spaces two neighbours, or a single character.
 */
export interface Vocabulary {
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

import { stem } from './stem.ts';
import { eachWritten, wordOf } from './words.ts';

/** Numbers the terms of a corpus. A term is the stem of a word, of an identifier, or of a part of an identifier. */
export interface Vocabulary {
  readonly size: () => number;
  /** Number of a term, or undefined for one that the corpus does not hold. */
  readonly find: (term: string) => number | undefined;
  /** Appends the terms of a text to a list, in order, those of an identifier's parts after its own. */
  readonly read: (text: string, into: number[]) => void;
}

export function createVocabulary(): Vocabulary {
  const numbers = new Map<string, number>();
  /** Terms of every spelling met so far: most words of a corpus are repetitions. */
  const known = new Map<string, readonly number[]>();

  const numberOf = (word: string): number => {
    const term = stem(word);
    const number = numbers.get(term) ?? numbers.size;
    if (number === numbers.size) numbers.set(term, number);
    return number;
  };
  const learn = (written: string): readonly number[] => {
    const word = wordOf(written);
    const terms = word === null ? [] : [word.whole, ...word.parts].map(numberOf);
    known.set(written, terms);
    return terms;
  };
  return {
    size: () => numbers.size,
    find: (term) => numbers.get(term),
    read: (text, into) => {
      eachWritten(text, (written) => {
        for (const term of known.get(written) ?? learn(written)) into.push(term);
      });
    },
  };
}

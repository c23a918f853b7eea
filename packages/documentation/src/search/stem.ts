import { stemmer } from 'stemmer';

/** Adverbs made of an adjective, which Porter's rules leave apart from it: `slowly`, `safely`, `directly`. */
const ADVERB = /^(?!early$|daily$|weekly$|monthly$|hourly$).{2,}[degklmrstw]ly$/;

/**
 * What words of one family have in common: `caching`, `cached` and `caches` are one term. Words with digits or letters
 * outside a–z only lose a plural `s`.
 * @param word lower case
 */
export function stem(word: string): string {
  if (word.length <= 3) return word;
  if (!/^[a-z]+$/.test(word)) return word.replace(/(?<=\p{L})s$/u, '');
  return stemmer(ADVERB.test(word) ? word.slice(0, -2) : word);
}

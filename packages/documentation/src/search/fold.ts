import { stemmer } from 'stemmer';

/** Accents of Latin, Greek and Cyrillic letters, vowel points of Hebrew and Arabic, and the Arabic lengthening stroke. */
const ACCENTS = /\u0640|[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670]/g;

/** Letters that are no letter with an accent, and how people write them whose keyboards lack them. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'ng',
  ŧ: 't',
  ς: 'σ',
  ى: 'ي',
  ة: 'ه',
};
const SPECIAL = new RegExp(`[${Object.keys(LETTERS).join('')}]`, 'g');

/** Whether a word has only characters of every keyboard, so that there is nothing to fold. */
const PLAIN = /^[\0-\x7f]*$/;

/**
 * A word written without its accents: `résumé` and `resume` are `resume`, `Straße` is `strasse`.
 * @param word lower case
 */
export function fold(word: string): string {
  if (PLAIN.test(word)) return word;
  return word
    .normalize('NFKD')
    .replace(ACCENTS, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(SPECIAL, (letter) => LETTERS[letter] ?? letter);
}

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

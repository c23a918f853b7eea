import { assert, property, string } from 'fast-check';
import { expect, it } from 'vitest';
import { fold } from './fold.ts';

it.each([
  ['résumé', 'resume'],
  ['re\u0301sume\u0301', 'resume'],
  ['straße', 'strasse'],
  ['smørrebrød', 'smorrebrod'],
  ['łódź', 'lodz'],
  ['œuvre', 'oeuvre'],
  ['i\u0307stanbul', 'istanbul'],
  ['đường', 'duong'],
  ['ёлка', 'елка'],
  ['λόγος', 'λογοσ'],
  ['מִפְתָּח', 'מפתח'],
  ['مِفْتَاح', 'مفتاح'],
  ['ﬁle', 'file'],
  ['plain', 'plain'],
  // Marks of other scripts are letters: without them another word is left.
  ['がぎ', 'がぎ'],
  ['हिन्दी', 'हिन्दी'],
  ['한글', '한글'],
])('%s is written %s without accents', (word, bare) => {
  expect(fold(word)).toBe(bare);
});

it('has nothing left to fold', () => {
  assert(
    property(string({ unit: 'binary' }), (text) => {
      const once = fold(text.toLowerCase());
      expect(fold(once)).toBe(once);
    }),
    { numRuns: 2000 },
  );
});

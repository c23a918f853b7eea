import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasUnseen, legible } from './legible.ts';

it.each([
  ['s-1', 's-1'],
  ['é 漢 🔒', 'é 漢 🔒'],
  ['a\r\nb', 'a\\u000d\\u000ab'],
  ['\u001b[2J', '\\u001b[2J'],
  ['ad\u200bmin', 'ad\\u200bmin'],
  ['ad\u00admin\u200e', 'ad\\u00admin\\u200e'],
  ['admin\u{e0041}', 'admin\\ue0041'],
  ['👩‍💻 می‌خواهم क्‍ष ❤️', '👩‍💻 می‌خواهم क्‍ष ❤️'],
  ['\u202egpj.exe\u2066', '\\u202egpj.exe\\u2066'],
])('%j is shown as %s', (text, line) => {
  expect(legible(text)).toBe(line);
  expect(hasUnseen(text)).toBe(text !== line);
});

describe('a text that is shown', () => {
  it.each([
    ['a grapheme joiner', 'ad\u034fmin'],
    ['a filler of Hangul', 'ad\u3164min'],
    ['a half-width filler', 'ad\uffa0min'],
    ['an inherent vowel of Khmer', 'ad\u17b4min'],
    ['a soft hyphen', 'ad\u00admin'],
    ['a control of musical notation', 'ad\u{1d173}min'],
    ['a reserved tag', 'ad\u{e0fff}min'],
  ])('differs from the one that it imitates with %s', (_, text) => {
    expect(hasUnseen(text)).toBe(true);
    expect(legible(text)).toMatch(/^ad\\u[\da-f]{4,5}min$/);
  });

  it('contains no character without a form, except joiners and variation selectors', () => {
    const unseen: string[] = [];
    for (let code = 0; code <= 0x10_ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\u200c\u200d\p{Variation_Selector}]/u.test(character)) continue;
      if (!/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/u.test(character)) continue;
      if (legible(character) === character) unseen.push(code.toString(16));
    }
    expect(unseen).toEqual([]);
  });

  it('is shown alike a second time, and has no line end', () => {
    assert(
      property(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), (one, other) => {
        const line = legible(`${one}\r\n\u001b[1m${other}`);
        expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(legible(line)).toBe(line);
        expect(hasUnseen(line)).toBe(false);
      }),
    );
  });

  it('is found to have unseen characters each time it is asked', () => {
    // A pattern with the flag g keeps its position between calls of test.
    expect([1, 2, 3].map(() => hasUnseen('ad\u200bmin'))).toEqual([true, true, true]);
    expect([1, 2, 3].map(() => hasUnseen('admin'))).toEqual([false, false, false]);
  });
});

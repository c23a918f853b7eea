import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { explicitText, safeText } from './safe.ts';

describe('a text from outside', () => {
  it.each([
    ['a title \x1b]0;owned\x07 goes', 'a title  goes'],
    ['a link \x1b]8;;http://x\x1b\\here\x1b]8;;\x1b\\', 'a link here'],
    ['\x1b[2J\x1b[1;1Hcleared', 'cleared'],
    ['10 %\r50 %\r100 %\r\nnext', '100 %\nnext'],
    ['a\tb', 'a   b'],
    ['\u202egnp.exe', '<U+202E>gnp.exe'],
    ['bell\x07 and \x9b31mred', 'bell and red'],
  ])('%j is shown as %j', (text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it('never reaches the terminal as a control character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const shown = safeText(text) + explicitText(text);
        // oxlint-disable-next-line no-control-regex
        expect(shown).not.toMatch(/[\0-\x09\x0b-\x1f\x7f-\x9f]/);
      }),
    );
  });
});

describe('what a person approves', () => {
  it.each([
    ['rm -rf x\recho fine', 'rm -rf x<U+000D>echo fine'],
    ['touch x\x1b[8D\x1b[K', 'touch x<U+001B>[8D<U+001B>[K'],
    ['git pu\u200bsh', 'git pu<U+200B>sh'],
    ['one\r\ntwo\r', 'one\ntwo'],
    ['a\x00b', 'a<U+0000>b'],
  ])('%j hides nothing: %j', (text, shown) => {
    expect(explicitText(text)).toBe(shown);
  });
});

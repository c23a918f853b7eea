import { assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { graphemesOf, graphemeWidth, widthOf } from './width.ts';

describe('the width of a text', () => {
  it.each([
    ['', 0],
    ['gateway', 7],
    ['déjà', 4],
    ['e\u0301te\u0301', 3],
    ['漢字かな', 8],
    ['한국', 4],
    ['ＡＢ', 4],
    ['a漢b', 4],
    ['⏳', 2],
    ['☯', 1],
    ['✔', 1],
    ['✔\ufe0f', 2],
    ['1\ufe0f\u20e3', 2],
    ['🇫🇷', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['👍🏽', 2],
    ['a\u200bb', 2],
    ['─│┌', 3],
  ])('of %j is %i columns', (text, columns) => {
    expect(widthOf(text)).toBe(columns);
  });

  it('is the sum of the widths of its characters, which together are the text', () => {
    assert(
      property(string({ unit: 'grapheme' }), (text) => {
        const graphemes = graphemesOf(text);
        expect(graphemes.join('')).toBe(text);
        expect(widthOf(text)).toBe(graphemes.reduce((sum, each) => sum + graphemeWidth(each), 0));
      }),
    );
  });
});

import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachWritten } from './letters.ts';

function runsIn(text: string): string[] {
  const runs: string[] = [];
  eachWritten(text, (run) => runs.push(run));
  return runs;
}

describe('the runs of a text', () => {
  it.each([
    ['one two', ['one', 'two']],
    ["the user's __init__ o’clock'", ['the', "user's", 'init', 'o’clock']],
    ['1.2.3, v4.5. 6.', ['1.2.3', 'v4.5', '6']],
    ['a.b 1.b a.1', ['a', 'b', '1', 'b', 'a', '1']],
    ['re\u0301sume\u0301', ['résumé']],
    ['हिन्दी ภาษาไทย', ['हिन्दी', 'ภาษาไทย']],
    ['\u1112\u1161\u11ab\u1100\u1173\u11af', ['한글']],
    ['が', ['が']],
    ['か\u3099', ['が']],
    ['ＡＰＩ ｶﾞｲﾄﾞ', ['API', 'ガイド']],
    ['𠮷野家 𝒳', ['𠮷野家', '𝒳']],
    ['\ud800a\udc00 😀b', ['a', 'b']],
    ['soft\u00adhyphen', ['soft\u00adhyphen']],
    ['', []],
  ])('%j', (text, runs) => {
    expect(runsIn(text)).toEqual(runs);
  });
  it('are what a regular expression finds', () => {
    const piece = constantFrom(
      'a',
      'Z',
      'é',
      '日',
      '7',
      '4',
      '_',
      "'",
      '’',
      ' ',
      '-',
      '\n',
      '.',
      '__',
      '𠮷',
      '\ud842',
      '\u093f',
    );
    assert(
      property(array(piece, { maxLength: 20 }), (pieces) => {
        const text = pieces.join('');
        const run = /[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}]|[_'’](?=[\p{L}\p{N}])|(?<=[0-9])\.(?=[0-9]))*/gu;
        expect(runsIn(text)).toEqual(text.match(run) ?? []);
      }),
      { numRuns: 1000 },
    );
  });
});

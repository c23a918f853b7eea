import { csvField, rowsOfCsv } from '@gateway/contract/csv';
import { array, assert, constant, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';

const fieldsOf = (text: string) => rowsOfCsv(text).map(({ fields }) => fields);

describe('a CSV text', () => {
  it.each([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\ufeffa;b\n1;2,5',
      [
        ['a', 'b'],
        ['1', '2,5'],
      ],
    ],
    ['"a, b","say ""hi"" now",\n', [['a, b', 'say "hi" now', '']]],
    ['"two\nlines",x', [['two\nlines', 'x']]],
    [' a , "b" ', [['a', 'b']]],
    ['\n\n,,\n', []],
    ['a"b,c', [['a"b', 'c']]],
    ['', []],
  ])('%j', (text, rows) => {
    expect(fieldsOf(text)).toEqual(rows);
  });
  it('reports the line on which each row begins', () => {
    expect(rowsOfCsv('h\n"a\nb"\n\nc').map(({ line }) => line)).toEqual([1, 2, 5]);
  });
  it('reads what it writes', () => {
    const word = string({ unit: 'grapheme-ascii' })
      .map((text) => text.trim())
      .filter((text) => !/^[=+\-@]|[\t\r]/.test(text));
    assert(
      property(array(tuple(constant('x'), word, word), { minLength: 1 }), (rows) => {
        const text = ['a,b,c', ...rows.map((row) => row.map(csvField).join(','))].join('\n');
        expect(fieldsOf(text).slice(1)).toEqual(rows);
      }),
    );
  });
  it('disarms what a spreadsheet takes for a formula', () => {
    expect(['=1+1', '-a', '@b', 'plain'].map(csvField)).toEqual(["'=1+1", "'-a", "'@b", 'plain']);
  });
});

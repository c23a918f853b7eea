import { printable } from '@gateway/contract';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvHeader, csvLine } from './list-or-export.ts';

/** A reader of RFC 4180, written for this test. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let place = 0; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if (quoted && character === '"' && text[place + 1] === '"') {
      cell += '"';
      place += 1;
    } else if (character === '"') quoted = !quoted;
    else if (!quoted && (character === ',' || character === '\r')) {
      rows.at(-1)?.push(cell);
      cell = '';
      if (character === '\r') rows.push([]);
      if (character === '\r') place += 1;
    } else cell += character;
  }
  return rows.slice(0, -1);
}

describe('a line of CSV', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\tx', "'\tx"],
    ['  =1', "'  =1"],
    ['＝1', "'＝1"],
    ['＋1', "'＋1"],
    ['－1', "'－1"],
    ['＠x', "'＠x"],
    ['a=1', 'a=1'],
    ['', ''],
    // console-20
  ])('defuses %j', (value, shown) => {
    expect(parse(csvLine({ value }, ['value']))).toEqual([[shown]]);
  });
  it('does not change numbers', () => {
    expect(csvLine({ a: -1.5, b: 1e-7, c: true, d: null }, ['a', 'b', 'c', 'd'])).toBe('-1.5,1e-7,true,\r\n');
  });
  it('reaches into values, joins lists of words and writes the rest as JSON', () => {
    const row = { target: { kind: 'path' }, roles: ['a', 'b'], value: { x: [1] }, at: new Date(0) };
    const columns = ['target.kind', 'target.none', 'roles', 'value', 'at', 'toString'];
    expect(parse(csvLine(row, columns))).toEqual([['path', '', 'a b', '{"x":[1]}', '1970-01-01T00:00:00.000Z', '']]);
  });
  it('has a header of the same columns', () => {
    expect(csvHeader(['a', 'target.kind'])).toBe('a,target.kind\r\n');
  });
  it('is parsed back as printable text, for any content, and begins no formula', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 5 }), (values) => {
        const row = Object.fromEntries(values.map((value, place) => [`c${place}`, value]));
        const [read = []] = parse(csvLine(row, Object.keys(row)));
        const written = values.map((value) => printable(value, true));
        expect(read.map((cell, place) => (cell === written[place] ? cell : cell.slice(1)))).toEqual(written);
        for (const cell of read) expect(cell).not.toMatch(/^\s*[=+\-@\t\r\n]/);
      }),
      { verbose: true },
    );
  });
});

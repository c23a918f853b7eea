import * as fc from 'fast-check';
import type { Tokens } from 'marked';
import { describe, expect, it } from 'vitest';
import { lineWidth, plainText } from '../text/line.ts';
import { tableLines } from './blocks.ts';
import { lexer } from './lexer.ts';

function tableOf(rows: readonly (readonly string[])[], rule?: string): Tokens.Table {
  const [header = [], ...rest] = rows.map((row) => `|${row.join('|')}|`);
  const divider = rule ?? `|${(rows[0] ?? []).map(() => '-').join('|')}|`;
  const table = lexer([header, divider, ...rest].join('\n')).find((token) => token.type === 'table');
  if (table === undefined) throw new Error('no table');
  return table as Tokens.Table;
}
const shown = (table: Tokens.Table, columns = 80): readonly string[] => tableLines(table, columns).map(plainText);

describe('a table', () => {
  it('sets columns below each other, by the width of what is in them', () => {
    expect(
      shown(
        tableOf([
          ['name', 'n'],
          ['日本', '1'],
          ['é', '22'],
        ]),
      ),
    ).toEqual(['name  n', '────  ──', '日本  1', 'é     22']);
  });

  it('aligns columns as its rule says', () => {
    const table = tableOf(
      [
        ['left', 'middle', 'right'],
        ['a', 'b', 'c'],
      ],
      '|:-|:-:|-:|',
    );
    expect(shown(table)).toEqual(['left  middle  right', '────  ──────  ─────', 'a       b         c']);
  });

  it('shows inline markup of its cells', () => {
    const table = tableOf([
      ['**a**', '`b\\|c`'],
      ['*x* y', '[t](https://a.example)'],
    ]);
    expect(shown(table)).toEqual(['a    b|c', '───  ─────────────────────', 'x y  t (https://a.example)']);
  });

  it('shows rows with too few cells, and cells that are empty', () => {
    expect(shown(tableOf([['a', 'b'], ['1'], ['', '2']]))).toEqual(['a  b', '─  ─', '1', '   2']);
  });

  it('takes room from the widest column first', () => {
    const rows = shown(
      tableOf([
        ['short', 'long'],
        ['abc', 'word '.repeat(20).trim()],
      ]),
      30,
    );
    expect(rows[0]).toBe('short  long');
    expect(rows[1]).toBe(`─────  ${'─'.repeat(23)}`);
    expect(rows.slice(2).every((row, at) => row.startsWith(at === 0 ? 'abc    word' : '       word'))).toBe(true);
  });

  it('becomes one record a row where its columns would be too narrow', () => {
    const names = ['first name', 'second name', 'third name'];
    expect(shown(tableOf([names, ['a', 'b', 'c'], ['d', 'e', 'f']]), 24).join('\n')).toBe(
      'first name: a\nsecond name: b\nthird name: c\n\nfirst name: d\nsecond name: e\nthird name: f',
    );
  });

  it('without rows shows its header, also where it is too narrow', () => {
    const names = ['first name', 'second name', 'third name'];
    for (const name of names) expect(shown(tableOf([names]), 24).join('\n')).toContain(name);
  });
});

it('every table fits the window and shows each of its words', () => {
  const cell = fc.array(fc.constantFrom('word', 'a', '日本語', 'longer-than-a-column', '👩‍👩‍👧', 'é'), {
    maxLength: 5,
  });
  const table = fc.tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 0, max: 4 })).chain(([width, height]) =>
    fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
      minLength: height + 1,
      maxLength: height + 1,
    }),
  );
  fc.assert(
    fc.property(table, fc.integer({ min: 20, max: 100 }), (cells, columns) => {
      const rows = cells.map((row, at) => row.map((words) => words.join(' ') || (at === 0 ? 'h' : '')));
      const lines = tableLines(tableOf(rows), columns);
      for (const line of lines) expect(lineWidth(line)).toBeLessThanOrEqual(columns);
      const letters = lines.map(plainText).join('').replaceAll(/[\s─]/g, '');
      // A longer word may be broken.
      const words = rows.flat().flatMap((text) => text.split(' ').filter(({ length }) => length < 10));
      for (const word of words) expect(letters).toContain(word);
    }),
    { numRuns: 200 },
  );
});

import { describe, expect, it } from 'vitest';
import { encode, lineWidth, plainText } from '../text/line.ts';
import { loadDiff, type ShownFile } from './diff.ts';

const show = await loadDiff();
const shown = (file: Omit<ShownFile, 'path'>, columns = 60, most = 400): string[] =>
  show({ path: 'a.txt', ...file }, columns, most).map((row) => plainText(row).trimEnd());
const numbered = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('a change', () => {
  it('has the path with its numbers, then the lines with theirs', () => {
    expect(shown({ before: 'one\ntwo\nthree\n', after: 'one\n2\nthree\nfour\n' })).toEqual([
      'a.txt +2 -1',
      '1   one',
      '2 - two',
      '2 + 2',
      '3   three',
      '4 + four',
    ]);
  });

  it('of a new file and of one that only changes its line ends says so', () => {
    expect(shown({ before: null, after: 'one\n' })).toEqual(['a.txt (new file) +1 -0', '1 + one']);
    expect(shown({ before: null, after: '' })).toEqual(['a.txt (new file) +0 -0', '']);
    expect(shown({ before: 'one\n', after: 'one\r\n' })).toEqual(['a.txt (only line ends change) +0 -0', '']);
  });

  it('in two places marks what is left out, with all numbers in one column', () => {
    const before = numbered(120);
    const after = before.replace('line 5\n', '').replace('line 110\n', 'changed\n');
    const rows = shown({ before, after });
    expect(rows).toContain('    ⋮');
    expect(rows.slice(1, 3)).toEqual(['  2   line 2', '  3   line 3']);
    expect(rows.filter((row) => /^[\d ]{3} [ +-] /.test(row))).toHaveLength(rows.length - 2);
  });

  it('that removes more lines than it leaves keeps its numbers in one column', () => {
    const rows = shown({ before: numbered(1000), after: 'x\n' }, 60, 2000);
    expect(rows.slice(1, 3)).toEqual(['   1 - line 1', '   2 - line 2']);
    expect(rows.at(-1)).toBe('   1 + x');
  });

  it('is cut after the rows that are asked for, and says how many more there are', () => {
    const rows = shown({ before: null, after: numbered(100) }, 60, 10);
    expect(rows).toHaveLength(12);
    expect(rows.at(-1)).toBe('… 90 more lines');
  });

  it('of any size is shown: the largest file that a model may write', () => {
    expect(shown({ before: null, after: 'x\n'.repeat(130_000) }, 60, 3).at(-1)).toBe('… 129997 more lines');
  });

  it('has long lines broken below their text, and fits the window', () => {
    const rows = show({ path: 'p'.repeat(80), before: 'x\n', after: `${'日本'.repeat(20)}\n` }, 30, 400);
    for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(30);
    expect(rows.map((row) => plainText(row))).toEqual(
      [
        `${'p'.repeat(29)}…`,
        '1 - x',
        `1 + ${'日本'.repeat(6)}日`,
        `    本${'日本'.repeat(6)}`,
        `    ${'日本'.repeat(6)}日`.trimEnd(),
        '    本',
      ].slice(0, rows.length),
    );
    expect(
      rows
        .slice(2)
        .map((row) => plainText(row).slice(4))
        .join(''),
    ).toBe('日本'.repeat(20));
  });

  it('names what a terminal would not show, in the path and in the lines', () => {
    const rows = show({ path: 'a\nb\u202e.txt', before: 'x\u200b\n', after: 'x\ty\x1b[2J\n' }, 60, 400).map(plainText);
    expect(rows).toEqual(['a<U+000A>b<U+202E>.txt +1 -1', '1 - x<U+200B>', '1 + x   y<U+001B>[2J']);
  });
});

describe('the words that changed', () => {
  const inverse = (before: string, after: string): string[] =>
    show({ path: 'a', before, after }, 600, 400).flatMap((row) =>
      row.filter(({ style }) => style.inverse === true).map(({ text }) => text),
    );

  it('are set off on both sides, and the rest of the line is not', () => {
    expect(inverse('let total = price + tax\n', 'let total = price - tax\n')).toEqual(['+', '-']);
    expect(inverse('  one two\n', '    one two\n').join('')).toMatch(/^ +$/);
  });

  it('are not set off where the lines have little in common, or are too long to read', () => {
    expect(inverse('the alpha line\n', 'something else entirely\n')).toEqual([]);
    expect(inverse(`${'word '.repeat(120)}a\n`, `${'word '.repeat(120)}b\n`)).toEqual([]);
  });

  it('pair the lines of a block in their order; a line without a partner has none', () => {
    expect(inverse('the first one\nthe second two\nthe third\n', 'the first ONE\nthe second TWO\n')).toEqual([
      'one',
      'two',
      'ONE',
      'TWO',
    ]);
  });

  it('are colours that a terminal without colours shows as inverse', () => {
    const rows = show({ path: 'a', before: 'this is one\n', after: 'this is two\n' }, 60, 400);
    expect(rows.map((row) => encode(row, 'attributes')).join('\n')).toContain('\x1b[7mone\x1b[0m');
  });
});

import { array, assert, constantFrom, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScreen } from './screen.ts';

const shown = (text: string, columns = 10, rows = 3): string => {
  const screen = createScreen(columns, rows);
  screen.write(text);
  return screen.text();
};
/** The style of the first cell after some sequences. */
const styleAfter = (sequences: string) => {
  const screen = createScreen(4, 1);
  screen.write(`${sequences}x`);
  return screen.picture().rows[0]?.[0]?.style;
};

describe('what a screen shows', () => {
  it.each([
    ['ab\r\ncd', 'ab\ncd\n'],
    ['ab\ncd', 'ab\n  cd\n'],
    ['ab\rc', 'cb\n\n'],
    ['abcdefghijkl', 'abcdefghij\nkl\n'],
    ['1\r\n2\r\n3\r\n4', '2\n3\n4'],
    ['a\x07b', 'ab\n\n'],
    ['\x1b]0;a title\x07a', 'a\n\n'],
    ['\x1b]8;;https://x.example\x07link\x1b]8;;\x07', 'link\n\n'],
    ['abc\x1b[2Gx', 'axc\n\n'],
    ['abc\x1b[G\x1b[K', '\n\n'],
    ['abc\r\nd\x1b[Ax', 'axc\nd\n'],
    ['a\x1b[Bx', 'a\n x\n'],
    ['a\x1b[9Bx', 'a\n\n x'],
    ['a\r\nb\r\nc\x1b[9A\x1b[1Gx\x1b[J', 'x\n\n'],
    ['\x1b[5Gx', '    x\n\n'],
    ['\x1b[?25l\x1b[?2026ha\x1b[>1u', 'a\n\n'],
    ['漢字', '漢字\n\n'],
    ['e\u0301x', 'e\u0301x\n\n'],
  ])('after %j', (text, lines) => {
    expect(shown(text)).toBe(lines);
  });

  it('moves a wide character to the next line if only half of it fits', () => {
    expect(shown('abc漢', 4)).toBe('abc\n漢\n');
  });

  it('is reported with the cursor, and does not change afterwards', () => {
    const screen = createScreen(10, 3);
    screen.write('ab\r\nc');
    const { rows, cursor } = screen.picture();
    screen.write('\x1b[Gxyz');
    expect(cursor).toEqual({ row: 1, column: 1 });
    expect(rows.map((row) => row.map(({ text }) => text).join(''))).toEqual(['ab', 'c', '']);
  });

  it('fails at a sequence that it does not know, instead of showing a wrong picture', () => {
    expect(() => shown('\x1b[3S')).toThrow('The recording knows no CSI 3S.');
  });

  it('is the same for text in one piece and in lines, and never wider or higher than the screen', () => {
    const line = constantFrom('a', 'bc', '漢', 'e\u0301', 'long line of words', '');
    assert(
      property(array(line, { maxLength: 8 }), integer({ min: 2, max: 12 }), (lines, columns) => {
        const one = createScreen(columns, 4);
        const other = createScreen(columns, 4);
        one.write(lines.map((text) => `${text}\r\n`).join(''));
        for (const text of lines) other.write(`${text}\r\n`);
        expect(other.picture()).toEqual(one.picture());
        const { rows } = one.picture();
        expect(rows).toHaveLength(4);
        expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('a style', () => {
  it.each([
    ['\x1b[1m', { bold: true }],
    ['\x1b[2m', { dim: true }],
    ['\x1b[3;4m', { italic: true, underlined: true }],
    ['\x1b[7m', { inverse: true }],
    ['\x1b[1;2m\x1b[22m', { bold: false, dim: false }],
    ['\x1b[3;4;7m\x1b[23;24;27m', { italic: false, underlined: false, inverse: false }],
    ['\x1b[31m', { color: '#e06c75', background: null }],
    ['\x1b[91m', { color: '#ef8a92' }],
    ['\x1b[42m', { background: '#98c379', color: null }],
    ['\x1b[101m', { background: '#ef8a92' }],
    ['\x1b[31;42m\x1b[39m', { color: null, background: '#98c379' }],
    ['\x1b[31;42m\x1b[49m', { color: '#e06c75', background: null }],
    ['\x1b[38;2;1;2;255m', { color: '#0102ff' }],
    ['\x1b[48;2;1;2;255m', { background: '#0102ff' }],
    ['\x1b[38;5;1m', { color: '#e06c75' }],
    ['\x1b[38;5;196m', { color: '#ff0000' }],
    ['\x1b[38;5;232m', { color: '#080808' }],
    ['\x1b[38;5;255m', { color: '#eeeeee' }],
    ['\x1b[38;5;16;1m', { color: '#000000', bold: true }],
    ['\x1b[38;2;9;9;9;4m', { color: '#090909', underlined: true }],
  ])('of %j', (sequence, style) => {
    expect(styleAfter(sequence)).toMatchObject(style);
  });

  it('ends with a reset, written as 0 or as nothing', () => {
    for (const reset of ['\x1b[0m', '\x1b[m', '\x1b[1;0m']) {
      expect(styleAfter(`\x1b[1;3;31;44m${reset}`)).toEqual(styleAfter(''));
    }
  });
});

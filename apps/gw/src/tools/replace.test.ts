import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replaceAll } from './edit.ts';

const END = fc.constantFrom('\n', '\r\n');
const WORDS = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '$', '.', '*', '(', '\\', '🔑'), maxLength: 4 });
/** Lines of a text, each with its own line end, as in a file that several editors wrote. */
const LINES = fc.array(fc.tuple(WORDS, END), { maxLength: 5 });
const joined = (lines: readonly (readonly [string, string])[]): string => lines.flat().join('');

describe('an edit of a file with mixed line ends', () => {
  it('finds the lines as Read shows them, and changes nothing else', () => {
    fc.assert(
      fc.property(
        LINES,
        LINES,
        fc.tuple(END, END),
        fc.tuple(WORDS, WORDS),
        (before, after, [one, two], [old, text]) => {
          const whole = `${joined(before)}<<${old}${one}second${two}third>>${joined(after)}`;
          const found = replaceAll(whole, [{ old_string: `<<${old}\nsecond\nthird>>`, new_string: `${text}\n!` }], 'f');
          const [head, tail] = [joined(before), joined(after)];
          expect(found.startsWith(head) && found.endsWith(tail)).toBe(true);
          expect(found.slice(head.length, found.length - tail.length)).toMatch(/^[^\r\n]*\r?\n!$/);
        },
      ),
    );
  });
  it.each([
    ['a\nb\r\nc\nd\n', 'b\nc', 'x\ny', 'a\nx\r\ny\nd\n'],
    ['a\r\nb\nc\r\nd\r\n', 'b\nc', 'x\ny', 'a\r\nx\ny\r\nd\r\n'],
    ['a\r\nb\nc\r\nd\r\n', 'a', 'x\ny', 'x\r\ny\r\nb\nc\r\nd\r\n'],
    ['a\nb\nc\r\nd\n', 'a', 'x\ny', 'x\ny\nb\nc\r\nd\n'],
  ])('%j: %j becomes %j', (text, old_string, new_string, after) => {
    expect(replaceAll(text, [{ old_string, new_string }], 'f')).toBe(after);
  });
  it('counts what Read shows alike as several occurrences', () => {
    const edit = { old_string: 'a\nb', new_string: 'x' };
    const text = 'a\nb\r\n-\r\na\r\nb\r\n-\r\n';
    expect(() => replaceAll(text, [edit], 'f')).toThrow('old_string occurs 2 times in f, at lines 1, 4.');
    expect(replaceAll(text, [{ ...edit, replace_all: true }], 'f')).toBe('x\r\n-\r\nx\r\n-\r\n');
  });
});

describe('an edit of text that holds a masked secret', () => {
  const text = 'A=1\nTOKEN=hunter2\nB=2\n';
  it.each([
    [{ old_string: 'A=1\nTOKEN=[secret:password]', new_string: 'A=2\nTOKEN=[secret:password]' }],
    [{ old_string: 'B=2', new_string: 'B=2\nCOPY=[secret:password]' }],
  ])('fails and says that the mask stands for it: %j', (edit) => {
    expect(() => replaceAll(text, [edit], 'f')).toThrow(
      /_string contains \[secret:password\], which masks a secret that you cannot see\./,
    );
  });
  it('is made if the mask itself is in the file', () => {
    const edit = { old_string: 'see [secret:password]', new_string: 'see [secret:password] below' };
    expect(replaceAll('see [secret:password]', [edit], 'f')).toBe('see [secret:password] below');
  });
});

describe('any edit', () => {
  it('fails with a message or replaces each occurrence, and never takes text for a pattern', () => {
    fc.assert(
      fc.property(WORDS, WORDS, WORDS, fc.nat({ max: 3 }), (around, old_string, new_string, count) => {
        fc.pre(old_string !== '' && old_string !== new_string && !`${around}${old_string}`.includes('|'));
        const parts = Array.from({ length: count + 1 }, () => '|');
        const text = parts.join(old_string);
        const edit = { old_string, new_string, replace_all: true };
        const result = count === 0 ? null : replaceAll(text, [edit], 'f');
        expect(result).toBe(count === 0 ? null : parts.join(new_string));
      }),
    );
  });
});

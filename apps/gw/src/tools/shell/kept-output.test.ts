import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COMMAND_CHARACTERS } from '../definition/limits.ts';
import { createKeptOutput } from './kept-output.ts';

/** What is kept of an output that comes in these pieces. */
function kept(pieces: readonly string[]): string {
  const output = createKeptOutput();
  for (const piece of pieces) output.add(piece);
  return output.take();
}
const CUT = /\n\[(\d+) characters were left out here: [^\]]*\]\n/;

describe('the output of a command', () => {
  it('is kept whole up to its limit, in whatever pieces it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 30 }), (pieces) => {
        // oxlint-disable-next-line no-control-regex
        fc.pre(!pieces.join('').includes('\x1b'));
        expect(kept(pieces)).toBe(pieces.join('').toWellFormed());
      }),
    );
    expect(kept(['x'.repeat(COMMAND_CHARACTERS)])).toBe('x'.repeat(COMMAND_CHARACTERS));
  });

  it('that is longer keeps its beginning and its end, and says exactly how much is left out', () => {
    const sizes = fc.array(fc.integer({ min: 0, max: 40_000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(sizes, (lengths) => {
        let at = 0;
        const pieces = lengths.map((length) =>
          Array.from({ length }, () => String.fromCharCode(97 + ((at += 1) % 26))).join(''),
        );
        const whole = pieces.join('');
        const [head = '', left = '0', tail = ''] = kept(pieces).split(CUT);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + Number(left) + tail.length).toBe(whole.length);
        expect(head.length + tail.length).toBe(Math.min(whole.length, COMMAND_CHARACTERS));
      }),
      { numRuns: 40 },
    );
  });

  it('is given once; what follows is given the next time', () => {
    const output = createKeptOutput();
    output.add('first\n');
    expect([output.take(), output.take()]).toEqual(['first\n', '']);
    output.add('y'.repeat(COMMAND_CHARACTERS + 10));
    expect(output.take()).toMatch(CUT);
    output.add('last\n');
    expect(output.take()).toBe('last\n');
  });

  it.each([
    ['\x1b[31mred\x1b[0m', 'red'],
    ['\x1b[38;5;196mred\x1b[m', 'red'],
    ['\x1b]0;a title\x07text', 'text'],
    ['\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['a\x1b[2K\x1b[1Gb', 'ab'],
    ['\x1bMup', 'up'],
    ['no \x1b', 'no \x1b'],
    ['[31m is text', '[31m is text'],
  ])('has no colours and cursor movements: %j', (written, shown) => {
    expect(kept([written])).toBe(shown);
    expect(kept(Array.from(written))).toBe(shown);
  });

  it('has no half of a character where it is cut', () => {
    for (const shift of ['', 'x']) {
      const text = kept([shift, '😀'.repeat(COMMAND_CHARACTERS)]);
      expect(text.isWellFormed()).toBe(true);
      expect(text).toMatch(CUT);
    }
  });
});

import { assert, constantFrom, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viewOf } from '../../testing/view.ts';
import { afterLineNumber, UNDECIDED } from './line-number.ts';

const LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';

/** The text after the number, or null where nothing but the line is there. */
function lineAfter(text: string): string | null {
  const at = afterLineNumber(viewOf(text), 0);
  return at === 0 ? null : text.slice(at);
}

describe('the number of a line', () => {
  it.each([
    ['12\t', 'cat -n, which pads numbers in the margin'],
    ['12 ', 'nl with a blank'],
    ['12: ', 'lists'],
    ['12:', 'grep -n'],
    ['12-', 'grep -n, of a neighbour'],
    ['12 | ', 'tables'],
    ['12. ', 'Markdown'],
    ['12) ', 'lists in parentheses'],
    ['[12] ', 'brackets'],
    ['L12: ', 'agents'],
    ['12\xe2\x86\x92', 'an arrow'],
    ['123456\t', 'long files'],
    ['keys/id_rsa:12:', 'grep -rn'],
    ['keys/id_rsa-12-', 'grep -rn, of a neighbour'],
    ['a-b/my-key-2.pem-12-', 'a path with hyphens and digits'],
    ['~/.ssh/id+rsa@host:7:', 'a path with other marks'],
  ])('is read past: %j (%s)', (mark) => {
    expect(lineAfter(mark + LINE)).toBe(LINE);
  });

  it.each([
    ['', 'nothing before the line'],
    ['1234567\t', 'more digits than a file has lines'],
    ['a line: ', 'words'],
    ['keys/id_rsa:', 'a path without a number'],
    ['keys/id_rsa:12-', 'two marks that differ'],
    ['keys/id_rsa::', 'no digits between the marks'],
    [`${'p/'.repeat(40)}:12:`, 'a path that is too long'],
  ])('is not in %j (%s)', (mark) => {
    expect(lineAfter(mark + LINE)).toBeNull();
  });

  it('is no digit that the line itself begins with', () => {
    expect(lineAfter(`12${LINE}`)).toBeNull();
    expect(lineAfter(`L12${LINE}`)).toBeNull();
  });

  it('is decided as soon as its end is known, and never otherwise than in the whole text', () => {
    const mark = tuple(
      constantFrom('', 'L', '[', 'id_rsa:', '.ssh/id-1:', 'id_rsa-'),
      integer({ min: 0, max: 9_999_999 }),
      constantFrom('\t', ': ', ':', '-', ' | ', '] ', '', ' \xe2\x94\x82 '),
    ).map((parts) => parts.join(''));
    assert(
      property(mark, (before) => {
        const text = before + LINE;
        const whole = afterLineNumber(viewOf(text), 0);
        for (let cut = 0; cut < text.length; cut++) {
          const early = afterLineNumber(viewOf(text.slice(0, cut), false), 0);
          expect([UNDECIDED, whole], text.slice(0, cut)).toContain(early);
        }
      }),
    );
  });
});

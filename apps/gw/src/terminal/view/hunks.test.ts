import { structuredPatch } from 'diff';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FileDiff, fileDiff } from './diff.ts';

const diffOf = (before: string | null, after: string): FileDiff => fileDiff(structuredPatch, before, after);
/** As `git diff` shows them, with the line number of the newer side. */
const shown = ({ hunks }: FileDiff): string[][] =>
  hunks.map((hunk) =>
    hunk.map(
      ({ kind, text, before, after }) =>
        `${after ?? before} ${{ context: ' ', added: '+', removed: '-' }[kind]}${text}`,
    ),
  );
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at + 1}`);
const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

/** Lines of a text without regard to how they end. */
const linesOf = (text: string): string[] => {
  const lines = text.split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

describe('the hunks of a change', () => {
  const line = fc.constantFrom('', 'a', 'b', '  a', '+', '-x', '\\ No newline at end of file', 'Grüße 🔑', ' ');
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('\n', '\r\n'), fc.boolean())
    .map(([lines, end, hasEnd]) => lines.join(end) + (hasEnd && lines.length > 0 ? end : ''));

  it('turn the old text into the new one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const old = linesOf(before);
        const made: string[] = [];
        let next = 0;
        for (const each of diffOf(before, after).hunks.flat()) {
          // What no hunk shows is unchanged: the line numbers say how much of it there is.
          const unchanged = each.before === null ? (each.after ?? 0) - 1 - made.length : each.before - 1 - next;
          made.push(...old.slice(next, next + unchanged));
          next += unchanged;
          expect(each.text).toBe(each.before === null ? each.text : old[next]);
          if (each.before !== null) next += 1;
          if (each.after !== null) made.push(each.text);
        }
        expect([...made, ...old.slice(next)]).toEqual(linesOf(after));
      }),
    );
  });

  it('count what was added and removed, and have no line on a side where it is not', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { hunks, added, removed } = diffOf(before, after);
        expect(linesOf(before).length + added - removed).toBe(linesOf(after).length);
        for (const each of hunks.flat())
          expect([each.before === null, each.after === null]).toEqual([each.kind === 'added', each.kind === 'removed']);
      }),
    );
  });

  it('have three lines around a change, and leave out the rest', () => {
    const before = numbered(40);
    const after = before.with(9, 'ten').with(29, 'thirty');
    const { hunks } = diffOf(joined(before), joined(after));
    expect(shown({ hunks } as FileDiff)).toEqual([
      ['7  line 7', '8  line 8', '9  line 9', '10 -line 10', '10 +ten', '11  line 11', '12  line 12', '13  line 13'],
      [
        '27  line 27',
        '28  line 28',
        '29  line 29',
        '30 -line 30',
        '30 +thirty',
        '31  line 31',
        '32  line 32',
        '33  line 33',
      ],
    ]);
  });

  it('are one where changes are near each other', () => {
    const before = numbered(20);
    expect(diffOf(joined(before), joined(before.with(5, 'x').with(11, 'y'))).hunks).toHaveLength(1);
  });

  it('of a new file are its lines', () => {
    expect(shown(diffOf(null, 'one\ntwo'))).toEqual([['1 +one', '2 +two']]);
    expect(diffOf(null, '')).toEqual({ hunks: [], added: 0, removed: 0, onlyLineEnds: false });
  });

  it('of a file that becomes empty are its lines', () => {
    expect(shown(diffOf('one\ntwo\n', ''))).toEqual([['1 -one', '2 -two']]);
  });

  it.each([
    ['a\nb\n', 'a\r\nb\r\n', true],
    ['a\r\nb\n', 'a\nb\n', true],
    ['a\n', 'a', true],
    ['a', 'a\n', true],
    ['a\n', 'a\n', false],
    ['', '', false],
    ['a\n', 'b\r\n', false],
  ])('say whether only line ends change: %j, %j', (before, after, onlyLineEnds) => {
    expect(diffOf(before, after)).toMatchObject({ onlyLineEnds, ...(onlyLineEnds ? { added: 0, removed: 0 } : {}) });
  });

  it('show everything as removed and added where the comparison took too long', () => {
    const late = (() => undefined) as unknown as typeof structuredPatch;
    expect(shown(fileDiff(late, 'a\n\nb\n', 'c'))).toEqual([['1 -a', '2 -', '3 -b', '1 +c']]);
    expect(shown(fileDiff(late, null, 'c\n'))).toEqual([['1 +c']]);
  });
});

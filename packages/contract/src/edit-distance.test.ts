import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editsBetween } from './edit-distance.ts';

describe('edits', () => {
  const text = array(constantFrom('a', 'b', 'c'), { maxLength: 8 }).map((letters) => letters.join(''));
  it('are counted as by the textbook, up to the most that matter', () => {
    assert(
      property(text, text, (one, other) => {
        expect(editsBetween(one, other, 2)).toBe(Math.min(3, textbook(one, other)));
      }),
      { numRuns: 2000 },
    );
  });
});

/** Optimal string alignment, the whole table. */
function textbook(one: string, other: string): number {
  const table = Array.from({ length: one.length + 1 }, (_, i) =>
    Array.from({ length: other.length + 1 }, (_, j) => i + j),
  );
  const at = (i: number, j: number): number => table[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= one.length; i += 1) {
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const crossed = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] && i > 1 && j > 1;
      const edits = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1)];
      (table[i] ?? [])[j] = Math.min(...edits, crossed ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY);
    }
  }
  return at(one.length, other.length);
}

import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { editsBetween, isSure, slipBetween } from './slip.ts';

const kindOf = (typed: string, meant: string) => slipBetween(typed, meant)?.kind ?? null;

describe('a slip', () => {
  it.each([
    ['revoek', 'revoke', 'transposed'],
    ['revvoke', 'revoke', 'doubled'],
    ['adress', 'address', 'doubled'],
    ['revke', 'revoke', 'missing'],
    ['revokation', 'revocation', 'sounding'],
    ['licence', 'license', 'sounding'],
    ['rewoke', 'revoke', 'other'],
    ['revokek', 'revoke', 'extra'],
    ['rekove', 'revoke', 'two'],
    ['revoke', 'revoke', null],
    ['revoke', 'gateway', null],
  ])('%s for %s', (typed, meant, kind) => {
    expect(kindOf(typed, meant)).toBe(kind);
  });
  it('reports whether it is at the first letter', () => {
    expect(slipBetween('preact', 'react')?.first).toBe(true);
    expect(slipBetween('ract', 'react')?.first).toBe(false);
  });
});

describe('it is sure', () => {
  const sure = (typed: string, meant: string, strange = false) => {
    const slip = slipBetween(typed, meant);
    return slip !== null && isSure(slip, typed.length, strange);
  };
  it.each([
    ['teh', 'the'],
    ['tset', 'test'],
    ['adress', 'address'],
    ['cofiguration', 'configuration'],
    ['revokation', 'revocation'],
    ['licence', 'license'],
    ['configuraiotn', 'configuration'],
  ])('that %s is %s', (typed, meant) => {
    expect(sure(typed, meant)).toBe(true);
  });
  it.each([
    ['slack', 'stack'],
    ['sentry', 'entry'],
    ['preact', 'react'],
    ['asymmetric', 'symmetric'],
    ['unprotected', 'protected'],
    ['nuxt', 'next'],
    ['deno', 'demo'],
    ['gradle', 'grade'],
    ['elephant', 'element'],
  ])('is not that %s is %s', (typed, meant) => {
    expect(sure(typed, meant)).toBe(false);
  });
  it('of a shorter word, if its letters are strange, but never of a very short one', () => {
    expect([sure('prtoxy', 'proxy'), sure('prtoxy', 'proxy', true)]).toEqual([false, true]);
    expect(sure('nuxt', 'next', true)).toBe(false);
  });
});

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

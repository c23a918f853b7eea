import { assert, integer, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, draw } from '../testing/specimen.ts';
import { viewOf } from '../testing/view.ts';
import { isMonotonous, isPlaceholder, saysSo } from './placeholder.ts';

describe('isPlaceholder', () => {
  it.each([
    'your-api-key-goes-in-this-place',
    'xxxxxxxxxxxxxxxxxxxx',
    'AKIAIOSFODNN7EXAMPLE',
    'REPLACE_ME_WITH_A_TOKEN',
    '00000000000000000000',
    '0123456789abcdef0123',
    'abcdefghijklmnopqrst',
    'abababababababababab',
    'insert-token-here',
    'dummy1a2b3c4d5e6f',
    'a1b2...c3d4',
    'changeme123',
    'todo_fill_in',
  ])('takes %s for one', (text) => {
    expect(isPlaceholder(viewOf(text), 0, text.length)).toBe(true);
  });

  it('takes no generated value for one', () => {
    assert(
      property(integer({ min: 1, max: 1e9 }), integer({ min: 20, max: 64 }), (seed, length) => {
        const text = draw('B-DF-HJ-NP-RTV-Z2-9bdfghj-np-rtv-z', length, dice(String(seed)));
        expect(saysSo(text)).toBe(/x{4}/i.test(text));
      }),
      { numRuns: 300 },
    );
  });
});

describe('isMonotonous', () => {
  const monotonous = (text: string): boolean => isMonotonous(Buffer.from(text), 0, text.length);

  it.each([
    'aaaaaaaaaaaaaaaa',
    'AAAAABBBBBCCCCC',
    '123456789012345678',
    'abcdefghijkl',
    'aAaAaAaAaAaAaAaA',
    '01010101010101',
  ])('is true of %s', (text) => {
    expect(monotonous(text)).toBe(true);
  });

  it.each(['k7Qz9mW2xTp4Lr8v', '8f14e45fceea167a5a36dedd4bea2543', 'QUJDREVGR0hJSktMTU5P'])(
    'is false of %s',
    (text) => {
      expect(monotonous(text)).toBe(false);
    },
  );

  it('looks at the given bytes only', () => {
    const text = `k7Qz9mW2xTp4Lr8v${'a'.repeat(30)}`;
    expect(isMonotonous(Buffer.from(text), 0, 16)).toBe(false);
    expect(isMonotonous(Buffer.from(text), 16, 46)).toBe(true);
  });
});

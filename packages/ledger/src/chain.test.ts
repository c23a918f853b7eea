import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { digestOf, GENESIS } from './chain.ts';

it('a digest is SHA-256 over the digest before it and the canonical JSON of the entry (decisions §7)', () => {
  const expected = createHash('sha256').update(Buffer.alloc(32)).update('{"a":1,"b":"é"}', 'utf8').digest('hex');
  expect(digestOf(GENESIS, { b: 'é', a: 1 }).toString('hex')).toBe(expected);
});

it('two entries, or two predecessors, never share a digest', () => {
  const entry = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.boolean(), fc.string({ unit: 'grapheme' })), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const same = isDeepStrictEqual(one, other);
      expect(digestOf(GENESIS, one).equals(digestOf(GENESIS, other))).toBe(same);
      expect(digestOf(digestOf(GENESIS, other), one).equals(digestOf(GENESIS, one))).toBe(false);
    }),
  );
});

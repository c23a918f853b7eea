import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { JsonObject } from './canonical.ts';
import { GENESIS, link } from './chain.ts';

const digestOf = (previous: string, entry: JsonObject): string => link(previous, entry).digest;

it('a digest is SHA-256 over the digest before it and the canonical JSON of the entry (log-4)', () => {
  const expected = createHash('sha256').update(Buffer.alloc(32)).update('{"a":1,"b":"é"}', 'utf8').digest('hex');
  expect(link(GENESIS, { b: 'é', a: 1 })).toEqual({ text: '{"a":1,"b":"é"}', digest: expected });
});

it.each([
  ['longer than what most entries fit in', 'a'.repeat(40_000)],
  ['which is as long only once it is written as bytes', '€'.repeat(6_000)],
])('a digest covers the whole of an entry %s (log-4)', (_, text) => {
  const expected = createHash('sha256').update(Buffer.alloc(32)).update(JSON.stringify({ text })).digest('hex');
  expect(digestOf(GENESIS, { text })).toBe(expected);
});

it('two entries, or two predecessors, never share a digest', () => {
  const entry = fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.boolean(), fc.string({ unit: 'grapheme' })), {
    noNullPrototype: true,
  });
  fc.assert(
    fc.property(entry, entry, (one, other) => {
      const same = isDeepStrictEqual(one, other);
      expect(digestOf(GENESIS, one) === digestOf(GENESIS, other)).toBe(same);
      expect(digestOf(digestOf(GENESIS, other), one)).not.toBe(digestOf(GENESIS, one));
    }),
  );
});

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './canonical.ts';
import { GENESIS, link, type SealedPosition, seal, verifySeal } from './chain.ts';
import { createSigner, generateSigningKey, readVerificationKey } from './note.ts';

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

const signer = createSigner(generateSigningKey());
const key = readVerificationKey(signer.publicKey);
const place: SealedPosition = { chain: 'authorization_decisions', sequence: 7n, digest: '01'.repeat(32) };

describe('a seal', () => {
  // log-5
  it('is valid for its position', async () => {
    expect(await verifySeal(key, place, seal(signer, place))).toBe(true);
  });

  it.each<[string, Partial<SealedPosition>]>([
    ['another chain', { chain: 'administration_actions' }],
    ['another sequence', { sequence: 8n }],
    ['another digest', { digest: '02'.repeat(32) }],
  ])('is invalid for %s', async (_, change) => {
    expect(await verifySeal(key, { ...place, ...change }, seal(signer, place))).toBe(false);
  });

  it('is invalid with another key, and with any bit of it changed', async () => {
    const other = createSigner(generateSigningKey());
    const made = seal(signer, place);
    expect(await verifySeal(readVerificationKey(other.publicKey), place, made)).toBe(false);
    expect(await verifySeal(key, place, seal(other, place))).toBe(false);
    expect(await verifySeal(key, place, { ...seal(other, place), keyId: key.id })).toBe(false);
    expect(await verifySeal(key, place, { ...made, keyId: other.keyId })).toBe(false);
    for (let bit = 0; bit < 512; bit += 37) {
      const signature = Buffer.from(made.signature);
      signature[bit >> 3] = (signature[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(await verifySeal(key, place, { ...made, signature })).toBe(false);
    }
    expect(await verifySeal(key, place, { ...made, signature: Buffer.alloc(0) })).toBe(false);
  });
});

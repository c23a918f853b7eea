import { describe, expect, it } from 'vitest';
import { type SealedPosition, seal, verifySeal } from './seal.ts';
import { createSigner, generateSigningKey, readVerificationKey } from './signing-key.ts';

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

import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createSigner, generateSigningKey, readVerificationKey, readVerificationKeys } from './note.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });

describe('a signing key', () => {
  it('is named by the SHA-256 of its public part', () => {
    const signer = createSigner(generateSigningKey());
    const der = createPublicKey(signer.publicKey).export({ type: 'spki', format: 'der' });
    expect(signer.keyId).toBe(createHash('sha256').update(der).digest('hex'));
    expect(readVerificationKey(signer.publicKey).id).toBe(signer.keyId);
  });

  it('keeps its private part to itself', () => {
    expect(JSON.stringify(createSigner(generateSigningKey()))).not.toContain('PRIVATE');
  });

  it('is refused in one sentence where it is invalid, or of another kind', () => {
    expect(() => createSigner('nonsense')).toThrow(/not a readable private key/);
    expect(() => createSigner(rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())).toThrow(/type rsa/);
    expect(() => readVerificationKey('nonsense')).toThrow(/not a readable public key/);
    expect(() => readVerificationKey(rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString())).toThrow(
      /Ed25519/,
    );
    expect(() => readVerificationKey(generateSigningKey())).toThrow(/public key/);
  });

  it('may share a file with others', () => {
    const signers = [1, 2, 3].map(() => createSigner(generateSigningKey()));
    const text = signers.map(({ publicKey }) => `# a comment\n${publicKey}`).join('\n');
    expect(readVerificationKeys(text).map(({ id }) => id)).toEqual(signers.map(({ keyId }) => keyId));
    expect(() => readVerificationKeys('')).toThrow(/public key/);
  });
});

import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

/** A key that a person must fix. */
export class SigningKeyFault extends Error {
  override readonly name = 'SigningKeyFault';
}

/** Signs with one Ed25519 key. The private part is not reachable from here. */
export interface Signer {
  /** SHA-256 of the public key's SPKI form, hexadecimal. */
  readonly keyId: string;
  /** PEM. */
  readonly publicKey: string;
  sign(message: Uint8Array): Buffer;
}

/** A key to verify with. */
export interface VerificationKey {
  readonly id: string;
  readonly key: KeyObject;
}

function idOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

function pem(key: KeyObject): string {
  return key.export({ type: 'spki', format: 'pem' }).toString();
}

/** A new private key, PEM (PKCS 8). */
export function generateSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** @throws SigningKeyFault where the text is no Ed25519 private key in PEM. */
export function createSigner(privateKeyPem: string): Signer {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(privateKeyPem);
  } catch {
    throw new SigningKeyFault('is not a readable private key: expected Ed25519, PEM, PKCS 8, without a passphrase');
  }
  if (privateKey.asymmetricKeyType !== 'ed25519') {
    throw new SigningKeyFault(`is a key of type ${privateKey.asymmetricKeyType}: expected Ed25519`);
  }
  const publicKey = createPublicKey(privateKey);
  return { keyId: idOf(publicKey), publicKey: pem(publicKey), sign: (message) => sign(null, message, privateKey) };
}

/** @throws SigningKeyFault where the text is no Ed25519 public key in PEM. */
export function readVerificationKey(publicKeyPem: string): VerificationKey {
  try {
    if (publicKeyPem.includes('PRIVATE KEY')) throw new Error('private');
    const key = createPublicKey(publicKeyPem);
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('type');
    return { id: idOf(key), key };
  } catch {
    throw new SigningKeyFault('is not a readable public key: expected Ed25519, PEM');
  }
}

/** Every public key of a PEM text, which may contain several. */
export function readVerificationKeys(text: string): readonly VerificationKey[] {
  const blocks = text.match(/-----BEGIN [^-]+-----[^-]+-----END [^-]+-----/g) ?? [text];
  return blocks.map(readVerificationKey);
}

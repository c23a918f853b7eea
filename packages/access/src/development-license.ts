import { createHash, createPrivateKey } from 'node:crypto';

/** The DER of an Ed25519 private key (RFC 8410) up to its 32 octets. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * The signing key of development licenses, PEM (PKCS 8). It is public: anybody can derive it, so a build that trusts its public
 * half logs this at every start. No product artifact imports this file.
 */
export function developmentSigningKey(): string {
  const seed = createHash('sha256').update('the development licence key, known to everybody').digest();
  return createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

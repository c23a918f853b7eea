import { createPrivateKey } from 'node:crypto';
import { CompactSign } from 'jose';
import { type LicenseClaims, licenseClaims } from './claims.ts';

/**
 * Signs a license: a compact JWS with EdDSA over Ed25519 (roles-20).
 * @param signingKey the vendor's private key, PEM (PKCS 8)
 * @throws when the claims are not a license's, or the key is not an Ed25519 private key
 */
export async function issueLicense(claims: LicenseClaims, signingKey: string): Promise<string> {
  const key = createPrivateKey(signingKey);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('A license is signed with an Ed25519 private key.');
  const payload = new TextEncoder().encode(JSON.stringify(licenseClaims.parse(claims)));
  return new CompactSign(payload).setProtectedHeader({ alg: 'EdDSA' }).sign(key);
}

import { createHash, randomBytes } from 'node:crypto';

/** The stored form of a key, used for the lookup: SHA-256 (roles-2). */
export function digestOfAccountKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new key and its stored form: the key itself is shown once and stored nowhere (roles-2). */
export function newAccountKey(): { readonly key: string; readonly digest: Buffer; readonly lastFour: string } {
  const key = `gwk_${randomBytes(24).toString('hex')}`;
  return { key, digest: digestOfAccountKey(key), lastFour: key.slice(-4) };
}

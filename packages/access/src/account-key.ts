import { createHash, randomBytes } from 'node:crypto';

/** The form in which the database knows a key, and in which it is looked up: SHA-256 (roles-2). */
export function digestOfAccountKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** A new key with what is kept of it: the key itself is shown once and stored nowhere (roles-2). */
export function newAccountKey(): { readonly key: string; readonly digest: Buffer; readonly lastFour: string } {
  const key = `gwk_${randomBytes(24).toString('hex')}`;
  return { key, digest: digestOfAccountKey(key), lastFour: key.slice(-4) };
}

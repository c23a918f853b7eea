import { hash } from 'node:crypto';
import { canonicalJson, type JsonObject } from './canonical.ts';

/** Bytes of a digest; it is written as twice as many hexadecimal digits, which Node.js makes at a third of a buffer's cost. */
const BYTES = 32;

/** What the first entry of a chain refers to: 32 zero bytes. */
export const GENESIS = '00'.repeat(BYTES);

/** Reused: hashing is synchronous, and most entries fit. */
const workspace = Buffer.allocUnsafe(16_384);

/** A hashed entry. */
export interface Linked {
  /** Canonical JSON. */
  readonly text: string;
  /** Hexadecimal, lower case. */
  readonly digest: string;
}

/**
 * Appends an entry to another: its digest is SHA-256 over the previous digest and the canonical JSON of the entry, its sequence
 * included (log-4). So it covers the whole chain up to here.
 * @param previous the previous digest, hexadecimal. @throws NotCanonical for an entry that JSON cannot represent.
 */
export function link(previous: string, entry: JsonObject): Linked {
  const text = canonicalJson(entry);
  const most = BYTES + text.length * 3; // bytes a UTF-16 unit can take in UTF-8
  const bytes = most > workspace.length ? Buffer.allocUnsafe(most) : workspace;
  bytes.write(previous, 'hex');
  const length = BYTES + bytes.write(text, BYTES);
  return { text, digest: hash('sha256', bytes.subarray(0, length), 'hex') };
}

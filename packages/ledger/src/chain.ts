import { hash } from 'node:crypto';
import { canonicalJson, type JsonObject } from './canonical.ts';

/** What the first entry of a chain refers to: 32 zero bytes. */
export const GENESIS: Buffer = Buffer.alloc(32);

/** Used over and over: hashing is synchronous, and most entries fit. */
const workspace = Buffer.allocUnsafe(16_384);

/**
 * The digest of an entry: SHA-256 over the digest before it and the canonical JSON of the entry, its sequence included
 * (decisions §7). It therefore stands for the whole chain up to here.
 */
export function digestOf(previous: Uint8Array, entry: JsonObject): Buffer {
  const text = canonicalJson(entry);
  const most = previous.length + text.length * 3; // bytes a UTF-16 unit can take in UTF-8
  const bytes = most > workspace.length ? Buffer.allocUnsafe(most) : workspace;
  bytes.set(previous);
  const length = previous.length + bytes.write(text, previous.length);
  return hash('sha256', bytes.subarray(0, length), 'buffer');
}

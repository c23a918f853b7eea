import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from './canonical.ts';

/** What the first entry of a chain refers to: 32 zero bytes. */
export const GENESIS: Buffer = Buffer.alloc(32);

/**
 * The digest of an entry: SHA-256 over the digest before it and the canonical JSON of the entry, its sequence included
 * (decisions §7). It therefore stands for the whole chain up to here.
 */
export function digestOf(previous: Uint8Array, entry: JsonObject): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(entry)).digest();
}

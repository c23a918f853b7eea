import { hash, verify } from 'node:crypto';
import { promisify } from 'node:util';
import { canonicalJson, type JsonObject } from './canonical.ts';
import type { Signer, VerificationKey } from './note.ts';

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

const verifySignature = promisify<null, Uint8Array, VerificationKey['key'], Uint8Array, boolean>(verify);

/** The position in a chain that a seal signs. */
export interface SealedPosition {
  /** Name of the chain, so that a seal of one log cannot be used for another. */
  readonly chain: string;
  readonly sequence: bigint;
  /** Digest of the entry with this sequence, hexadecimal; it also covers every earlier entry. */
  readonly digest: string;
}

/** Ed25519 signature over a position. An entry is signed by the first seal at or after it (log-5). */
export interface Seal {
  readonly keyId: string;
  readonly signature: Uint8Array;
}

function message({ chain, sequence, digest }: SealedPosition): Buffer {
  return Buffer.from(`gateway seal 1\n${chain}\n${sequence}\n${digest}\n`);
}

export function seal(signer: Signer, position: SealedPosition): Seal {
  return { keyId: signer.keyId, signature: signer.sign(message(position)) };
}

/** Verifies on the thread pool, so that many seals use every core. */
export async function verifySeal(
  key: VerificationKey,
  position: SealedPosition,
  { keyId, signature }: Seal,
): Promise<boolean> {
  return key.id === keyId && verifySignature(null, message(position), key.key, signature);
}

import { verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { Signer, VerificationKey } from './signing-key.ts';

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

import { verify } from 'node:crypto';
import type { SealedPosition } from './seal.ts';
import type { Signer, VerificationKey } from './signing-key.ts';

/**
 * A signed note of the heads of the chains. An auditor stores it where the operator of the database cannot change it.
 * Its text:
 *
 *     gateway journal checkpoint 1
 *     at 2026-01-01T00:00:00.000Z
 *     chain authorization_decisions 1234 <digest, hexadecimal>
 *     key <id of the signing key>
 *     signature <Ed25519 over the lines above, hexadecimal>
 */
export interface Checkpoint {
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  readonly positions: readonly SealedPosition[];
  readonly keyId: string;
}

/** A note that cannot be used; the message has the cause. */
export class CheckpointFault extends Error {
  override readonly name = 'CheckpointFault';
}

const TITLE = 'gateway journal checkpoint 1';

function body({ at, positions, keyId }: Checkpoint): string {
  const chains = positions.map(({ chain, sequence, digest }) => `chain ${chain} ${sequence} ${digest}`);
  return `${[TITLE, `at ${at}`, ...chains, `key ${keyId}`].join('\n')}\n`;
}

/** The note's text, its signature last. */
export function makeCheckpoint(signer: Signer, at: string, positions: readonly SealedPosition[]): string {
  const text = body({ at, positions, keyId: signer.keyId });
  return `${text}signature ${signer.sign(Buffer.from(text)).toString('hex')}\n`;
}

function parse(text: string): Checkpoint & { readonly signature: Buffer } {
  const lines = text.replaceAll('\r\n', '\n').trim().split('\n');
  const positions = lines.flatMap((line): SealedPosition[] => {
    const found = /^chain ([a-z_]{1,64}) (\d{1,18}) ([0-9a-f]{64})$/.exec(line);
    return found ? [{ chain: found[1] ?? '', sequence: BigInt(found[2] ?? 0), digest: found[3] ?? '' }] : [];
  });
  const at = /^at (\S+)$/.exec(lines[1] ?? '')?.[1];
  const keyId = /^key ([0-9a-f]{64})$/.exec(lines.at(-2) ?? '')?.[1];
  const signature = /^signature ([0-9a-f]{128})$/.exec(lines.at(-1) ?? '')?.[1];
  if (lines[0] !== TITLE || !at || !keyId || !signature || positions.length !== lines.length - 4) {
    throw new CheckpointFault('This is not a checkpoint of a journal.');
  }
  return { at, positions, keyId, signature: Buffer.from(signature, 'hex') };
}

/**
 * Reads a note and verifies its signature.
 * @throws CheckpointFault where it is no note, was changed, or was signed by another key.
 */
export function readCheckpoint(text: string, keys: ReadonlyMap<string, VerificationKey>): Checkpoint {
  const { signature, ...checkpoint } = parse(text);
  const key = keys.get(checkpoint.keyId);
  if (!key) throw new CheckpointFault(`The checkpoint is signed by the key ${checkpoint.keyId}, which is not trusted.`);
  if (!verify(null, Buffer.from(body(checkpoint)), key.key, signature)) {
    throw new CheckpointFault('The signature of the checkpoint is not valid: its text was changed.');
  }
  return checkpoint;
}

import { verify } from 'node:crypto';
import type { SealedPosition } from './chain.ts';
import {
  EMPTY_ROOT,
  HASH_BYTES,
  isConsistent,
  isSameHash,
  readTreeCheckpoint,
  readTreeSize,
  type TreeCheckpoint,
  type TreeHead,
} from './merkle-tree.ts';
import { exactBase64, NoteFault, type NoteKey, type Signer, type VerificationKey, verifyNote } from './note.ts';

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

/**
 * A signed note beside an archive that describes the file. Its text:
 *
 *     gateway log archive 1
 *     at 2026-01-01T00:00:00.000Z
 *     log usage
 *     file usage-2025-10-1.jsonl
 *     entries 1234
 *     sha256 <of the file, hexadecimal>
 *     key <id of the signing key>
 *     signature <Ed25519 over the lines above, hexadecimal>
 */
export interface ArchiveManifest {
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  readonly log: string;
  /** Name of the file, without a directory. */
  readonly file: string;
  readonly entries: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

const FORM =
  /^gateway log archive 1\nat (\S+)\nlog ([a-z]{1,32})\nfile ([\w.-]{1,255})\nentries (\d{1,15})\nsha256 ([0-9a-f]{64})\nkey ([0-9a-f]{64})\nsignature ([0-9a-f]{128})\n$/;

/** The note's text, its signature last. */
export function makeArchiveManifest(signer: Signer, { at, log, file, entries, sha256 }: ArchiveManifest): string {
  const lines = ['gateway log archive 1', `at ${at}`, `log ${log}`, `file ${file}`, `entries ${entries}`];
  const body = `${[...lines, `sha256 ${sha256}`, `key ${signer.keyId}`].join('\n')}\n`;
  return `${body}signature ${signer.sign(Buffer.from(body)).toString('hex')}\n`;
}

/**
 * Reads a note and verifies its signature.
 * @throws CheckpointFault where it is no note, was changed, or was signed by another key.
 */
export function readArchiveManifest(text: string, keys: ReadonlyMap<string, VerificationKey>): ArchiveManifest {
  const plain = text.replaceAll('\r\n', '\n');
  const [, at = '', log = '', file = '', entries = '', sha256 = '', keyId = '', signature = ''] =
    FORM.exec(plain) ?? [];
  if (signature === '') throw new CheckpointFault('This is not the manifest of an archive.');
  const key = keys.get(keyId);
  if (!key) throw new CheckpointFault(`The manifest is signed by the key ${keyId}, which is not trusted.`);
  const body = Buffer.from(plain.slice(0, plain.lastIndexOf('signature ')));
  if (!verify(null, body, key.key, Buffer.from(signature, 'hex'))) {
    throw new CheckpointFault('The signature of the manifest is not valid: its text was changed.');
  }
  return { at, log, file, entries: Number(entries), sha256 };
}

/*
 * The request of a witness (C2SP tlog-witness), `add-checkpoint`: the size that the witness knows, a proof that the checkpoint
 * continues it, and the checkpoint.
 */

export interface AddCheckpoint {
  readonly oldSize: number;
  readonly path: readonly Uint8Array[];
  readonly checkpoint: TreeCheckpoint;
}

/** As many as a proof may have. */
const MAX_STEPS = 63;

export function writeAddCheckpoint(oldSize: number, path: readonly Uint8Array[], note: string): string {
  const steps = path.map((step) => `${Buffer.from(step).toString('base64')}\n`);
  return `old ${oldSize}\n${steps.join('')}\n${note}`;
}

/** Null for a body that is no such request. */
export function readAddCheckpoint(body: string): AddCheckpoint | null {
  const end = body.indexOf('\n\n');
  const [first = '', ...steps] = body.slice(0, Math.max(0, end)).split('\n');
  const oldSize = first.startsWith('old ') ? readTreeSize(first.slice(4)) : null;
  const path = steps.map(exactBase64);
  if (oldSize === null || path.length > MAX_STEPS || path.some((step) => step?.length !== HASH_BYTES)) return null;
  try {
    return { oldSize, path: path as Buffer[], checkpoint: readTreeCheckpoint(body.slice(end + 2)) };
  } catch (error) {
    if (error instanceof NoteFault) return null;
    throw error;
  }
}

/** Why a witness does not cosign. `conflict` tells the size that it knows. */
export type WitnessRefusal = 'unknown-origin' | 'bad-signature' | 'smaller' | 'conflict' | 'bad-proof';

/**
 * Whether a witness may cosign.
 * @param keys of the logs that it watches. @param known the last checkpoint of this origin that it cosigned.
 */
export function judgeCheckpoint(
  { oldSize, path, checkpoint }: AddCheckpoint,
  keys: readonly NoteKey[],
  known: Pick<TreeHead, 'size' | 'root'> | null,
): WitnessRefusal | null {
  if (keys.length === 0) return 'unknown-origin';
  if (!isSigned(checkpoint, keys)) return 'bad-signature';
  const { size, root } = checkpoint;
  if (oldSize > size) return 'smaller';
  const old = known ?? { size: 0, root: EMPTY_ROOT };
  if (oldSize !== old.size) return 'conflict';
  if (size === old.size && !isSameHash(root, old.root)) return 'conflict';
  return isConsistent({ old, size, root, path }) ? null : 'bad-proof';
}

function isSigned(checkpoint: TreeCheckpoint, keys: readonly NoteKey[]): boolean {
  try {
    return verifyNote(checkpoint, keys).length > 0;
  } catch (error) {
    if (error instanceof NoteFault) return false;
    throw error;
  }
}

import { HASH_BYTES } from './merkle-tree.ts';
import {
  ED25519,
  exactBase64,
  isKeyName,
  type Note,
  NoteFault,
  type NoteKey,
  readNote,
  signNote,
  verifyNote,
} from './note.ts';
import type { Signer } from './signing-key.ts';

/**
 * Size and root of a log's tree (C2SP tlog-checkpoint), the text of a signed note:
 *
 *     gateway/3f2a9c0d8e7b6a51/authorization_decisions
 *     1234
 *     <root, base64>
 */
export interface TreeHead {
  /** The name of the signing keys, a slash, and the name of the chain. */
  readonly origin: string;
  /** Entries. */
  readonly size: number;
  readonly root: Uint8Array;
}

export interface TreeCheckpoint extends TreeHead, Note {
  /** The whole note, as it was written. */
  readonly note: string;
}

/** A size as the format writes it; a larger one would not be exact as a number. */
const SIZE = /^(0|[1-9]\d{0,15})$/;

/** The size that a text stands for; null where it is none. */
export function readTreeSize(text: string): number | null {
  const size = Number(text);
  return SIZE.test(text) && Number.isSafeInteger(size) ? size : null;
}

/** Name of the keys of a log, and name of its chain. */
export function partsOfOrigin(origin: string): { readonly name: string; readonly chain: string } {
  const end = origin.lastIndexOf('/');
  return { name: origin.slice(0, Math.max(0, end)), chain: origin.slice(end + 1) };
}

export function writeTreeHead({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/** A checkpoint, signed with one key: the key's name is the origin without the chain. */
export function makeTreeCheckpoint(signer: Signer, head: TreeHead): TreeCheckpoint {
  return readTreeCheckpoint(signNote(writeTreeHead(head), partsOfOrigin(head.origin).name, signer));
}

/** Reads a checkpoint, without verifying its signatures. @throws NoteFault where it is none. */
export function readTreeCheckpoint(text: string): TreeCheckpoint {
  const note = readNote(text);
  const [origin = '', size = '', root = '', ...extensions] = note.text.slice(0, -1).split('\n');
  const [entries, hash] = [readTreeSize(size), exactBase64(root)];
  if (!isKeyName(origin) || entries === null || hash?.length !== HASH_BYTES || extensions.includes('')) {
    throw new NoteFault('This is no checkpoint: its lines are the origin, the size and the root of a log.');
  }
  return { ...note, note: text, origin, size: entries, root: hash };
}

/**
 * Reads a checkpoint and verifies it: at least one of the keys signed it, under the name in its origin.
 * @throws NoteFault
 */
export function openTreeCheckpoint(text: string, keys: readonly NoteKey[]): TreeCheckpoint {
  const checkpoint = readTreeCheckpoint(text);
  const { name } = partsOfOrigin(checkpoint.origin);
  const own = new Set(keys.filter((key) => key.type === ED25519 && key.name === name).map((key) => key.hash));
  const verified = verifyNote(checkpoint, keys);
  if (verified.some((line) => line.name === name && own.has(line.hash))) return checkpoint;
  throw new NoteFault(`The checkpoint has no signature of a known key with the name of its log, ${name}.`);
}

import { hash } from 'node:crypto';
import {
  ED25519,
  exactBase64,
  isKeyName,
  type Note,
  NoteFault,
  type NoteKey,
  readNote,
  type Signer,
  signNote,
  verifyNote,
} from './note.ts';

/*
 * The Merkle tree over a log (RFC 6962, section 2.1): leaves are the digests of its entries, in their order. Sizes and indexes are
 * whole numbers below 2^53. Hashes are 32 bytes.
 */

/** Bytes of a hash. */
export const HASH_BYTES = 32;

/** Root of the tree over no entries. */
export const EMPTY_ROOT = hash('sha256', '', 'buffer');

/** Reused: hashing is synchronous. */
const leaf = Buffer.alloc(1 + HASH_BYTES, 0);
const node = Buffer.alloc(1 + 2 * HASH_BYTES, 1);

/** Writes a hash. As Latin-1, Node.js gives it in a quarter of the time that a new buffer takes. */
function writeHash(of: Buffer, into: Buffer, at: number): void {
  into.write(hash('sha256', of, 'binary'), at, 'binary');
}

/** Writes the hash of a leaf. @param digest hexadecimal, of an entry. */
export function writeLeafHash(digest: string, into: Buffer, at = 0): Buffer {
  leaf.write(digest, 1, 'hex');
  writeHash(leaf, into, at);
  return into;
}

/** @param digest hexadecimal, of an entry. */
export function leafHash(digest: string): Buffer {
  return writeLeafHash(digest, Buffer.allocUnsafe(HASH_BYTES));
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  const above = Buffer.allocUnsafe(HASH_BYTES);
  writeHash(node, above, 0);
  return above;
}

/** The root over 2^n hashes, one behind the other. It overwrites them. */
export function foldHashes(hashes: Buffer): Buffer {
  for (let count = hashes.length / HASH_BYTES; count > 1; count /= 2) {
    for (let at = 0; at < count / 2; at += 1) {
      hashes.copy(node, 1, at * 2 * HASH_BYTES, (at + 1) * 2 * HASH_BYTES);
      writeHash(node, hashes, at * HASH_BYTES);
    }
  }
  return hashes.subarray(0, HASH_BYTES);
}

/** A complete subtree: the 2^level leaves from `index` · 2^level on. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** Gives the hashes of complete subtrees, in their order. */
export type ReadHashes = (subtrees: readonly Subtree[]) => Promise<readonly Uint8Array[]>;

/** Leaves from the first on, up to the one before `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Where RFC 6962 splits a tree: the largest power of two below its size. */
function split(size: number): number {
  let left = 1;
  while (left * 2 < size) left *= 2;
  return left;
}

/** The complete subtrees of a range that RFC 6962's splits make, from left to right. */
function subtreesOf({ from, to }: Range): Subtree[] {
  const subtrees: Subtree[] = [];
  for (let start = from; start < to; ) {
    let [level, width] = [0, 1];
    while (start % (width * 2) === 0 && start + width * 2 <= to) {
      width *= 2;
      level += 1;
    }
    subtrees.push({ level, index: start / width });
    start += width;
  }
  return subtrees;
}

/** The hashes of ranges, with one read. */
async function hashesOf(ranges: readonly Range[], read: ReadHashes): Promise<Uint8Array[]> {
  const parts = ranges.map(subtreesOf);
  const hashes = await read(parts.flat());
  let at = 0;
  return parts.map(({ length }) => {
    const own = hashes.slice(at, at + length);
    at += length;
    return own.reduceRight((right, left) => nodeHash(left, right));
  });
}

/** The root of the tree over the first `size` leaves. */
export async function treeRoot(size: number, read: ReadHashes): Promise<Uint8Array> {
  if (size === 0) return EMPTY_ROOT;
  const [root] = await hashesOf([{ from: 0, to: size }], read);
  return root as Uint8Array;
}

/** The audit path of a leaf in the tree over the first `size` leaves, lowest first. `index` is below `size`. */
export function inclusionPath(index: number, size: number, read: ReadHashes): Promise<readonly Uint8Array[]> {
  const ranges: Range[] = [];
  for (let [from, to] = [0, size]; to - from > 1; ) {
    const middle = from + split(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return hashesOf(ranges.reverse(), read);
}

/** The proof that the tree over `size` leaves continues the one over the first `old` of them, lowest first. */
export async function consistencyPath(old: number, size: number, read: ReadHashes): Promise<readonly Uint8Array[]> {
  if (old === 0 || old === size) return [];
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to !== old) {
    const middle = from + split(to - from);
    if (old <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  if (from > 0) ranges.push({ from, to }); // otherwise it is the old root, which the verifier has
  return hashesOf(ranges.reverse(), read);
}

/** The hashes of the complete subtrees that the first `size` leaves are made of, from left to right. */
export const readFrontier = (size: number, read: ReadHashes): Promise<readonly Uint8Array[]> =>
  read(subtreesOf({ from: 0, to: size }));

/**
 * The root over the leaves before `first`, which the frontier stands for, and those of further digests.
 * @returns null where the frontier is not one of that size
 */
export function rootAfter(
  first: number,
  frontier: readonly Uint8Array[],
  digests: readonly string[],
): Uint8Array | null {
  const before = subtreesOf({ from: 0, to: first });
  if (frontier.length !== before.length || frontier.some(({ length }) => length !== HASH_BYTES)) return null;
  const open = before.map(({ level }, at) => ({ level, hash: frontier[at] as Uint8Array }));
  for (const digest of digests) {
    let made = { level: 0, hash: leafHash(digest) as Uint8Array };
    for (let left = open.at(-1); left?.level === made.level; left = open.at(-1)) {
      open.pop();
      made = { level: made.level + 1, hash: nodeHash(left.hash, made.hash) };
    }
    open.push(made);
  }
  return open.length === 0
    ? EMPTY_ROOT
    : open.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right));
}

const isOdd = (value: number): boolean => value % 2 === 1;
const half = (value: number): number => Math.floor(value / 2);

export interface Inclusion {
  readonly leaf: Uint8Array;
  readonly index: number;
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Whether the path leads from the leaf to the root (RFC 9162, section 2.1.3.2). */
export function isIncluded({ leaf: start, index, size, root, path }: Inclusion): boolean {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [first, last] = [index, size - 1];
  let current = start;
  for (const sibling of path) {
    if (sibling.length !== HASH_BYTES || last === 0) return false;
    if (isOdd(first) || first === last) {
      current = nodeHash(sibling, current);
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)];
    } else current = nodeHash(current, sibling);
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && isSameHash(current, root);
}

export interface Consistency {
  readonly old: { readonly size: number; readonly root: Uint8Array };
  readonly size: number;
  readonly root: Uint8Array;
  readonly path: readonly Uint8Array[];
}

/** Whether the path shows that the newer tree continues the older one (RFC 9162, section 2.1.4.2). */
export function isConsistent({ old, size, root, path }: Consistency): boolean {
  if (old.size > size || path.some(({ length }) => length !== HASH_BYTES)) return false;
  if (old.size === size) return path.length === 0 && isSameHash(old.root, root);
  if (old.size === 0) return path.length === 0 && isSameHash(old.root, EMPTY_ROOT);
  let [first, last] = [old.size - 1, size - 1];
  while (isOdd(first)) [first, last] = [half(first), half(last)];
  const [start, ...rest] = first === 0 ? [old.root, ...path] : path; // 0: the old size is a power of two
  if (start === undefined) return false;
  let [before, after] = [start, start];
  for (const step of rest) {
    if (last === 0) return false;
    if (isOdd(first) || first === last) {
      before = nodeHash(step, before);
      after = nodeHash(step, after);
      while (!isOdd(first) && first !== 0) [first, last] = [half(first), half(last)];
    } else after = nodeHash(after, step);
    [first, last] = [half(first), half(last)];
  }
  return last === 0 && isSameHash(before, old.root) && isSameHash(after, root);
}

/** Hashes are public: comparing them needs no constant time. */
export function isSameHash(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

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

import type { JsonObject } from './canonical.ts';
import { link } from './chain.ts';
import {
  HASH_BYTES,
  isConsistent,
  isIncluded,
  leafHash,
  openTreeCheckpoint,
  partsOfOrigin,
  rootAfter,
  type TreeCheckpoint,
} from './merkle-tree.ts';
import { exactBase64, NoteFault, type NoteKey } from './note.ts';

/** A file that proves nothing; the message has the cause. */
export class ProofFault extends Error {
  override readonly name = 'ProofFault';
}

/** An entry of an export without its seal, and its way to the root. */
export interface EntryProof {
  /** Position in the tree: the entry's sequence − 1. */
  readonly index: number;
  readonly entry: JsonObject;
  /** Base64. */
  readonly path: readonly string[];
}

/** What a file proves. */
export type CheckedProof =
  | { readonly kind: 'inclusion'; readonly checkpoint: TreeCheckpoint; readonly entries: readonly JsonObject[] }
  | { readonly kind: 'consistency'; readonly old: TreeCheckpoint; readonly checkpoint: TreeCheckpoint };

const VERSION = 1;

export function writeInclusionProof(log: string, checkpoint: string, proofs: readonly EntryProof[]): string {
  return `${JSON.stringify({ version: VERSION, log, checkpoint, proofs })}\n`;
}

export function writeConsistencyProof(old: string, next: string, path: readonly Uint8Array[]): string {
  return `${JSON.stringify({ version: VERSION, old, new: next, path: path.map(toBase64) })}\n`;
}

/** The digests of all entries of a part of the log, without their contents, and their way to the root. */
export interface PeriodProof {
  /** Position of the first in the tree: its sequence − 1. */
  readonly first: number;
  /** Hexadecimal. */
  readonly digests: readonly string[];
  /** What the entries before it come to (base64). */
  readonly frontier: readonly string[];
  /** That the log up to the last of them was continued to the checkpoint (base64). */
  readonly path: readonly string[];
}

export function writePeriodProof(log: string, checkpoint: string, period: PeriodProof): string {
  const { first, digests, frontier, path } = period;
  return `${JSON.stringify({ version: VERSION, log, checkpoint, first, frontier, path, digests })}\n`;
}

export function toBase64(hash: Uint8Array): string {
  return Buffer.from(hash).toString('base64');
}

/** White space between the parts of a JSON text. */
const BETWEEN = /"(?:[^"\\]|\\.)*"|\s+/gs;

/**
 * The value of a JSON text, whose members each stand once and in their usual form: otherwise another program might read another
 * value than the verified one.
 */
function parse(text: string): unknown {
  let value: unknown;
  let written: string;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
    written = JSON.stringify(value);
  } catch {
    throw new ProofFault('This is not JSON, or nested too deeply.');
  }
  const plain = text.replace(/^\ufeff/, '').replace(BETWEEN, (part) => (part.startsWith('"') ? part : ''));
  if (plain === written) return value;
  throw new ProofFault('The JSON has a member twice, or a number or text in another form than journal prove writes.');
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function hasOnly(value: JsonObject, names: readonly string[]): boolean {
  return Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));
}

function readPath(value: unknown): Buffer[] {
  if (!Array.isArray(value)) throw new ProofFault('The path of a proof is missing.');
  return value.map((step: unknown) => {
    const hash = typeof step === 'string' ? exactBase64(step) : null;
    if (hash?.length === HASH_BYTES) return hash;
    throw new ProofFault('The path of a proof has a step that is no base64 of 32 bytes.');
  });
}

function open(note: unknown, keys: readonly NoteKey[], what: string): TreeCheckpoint {
  if (typeof note !== 'string') throw new ProofFault(`The ${what} is missing.`);
  try {
    return openTreeCheckpoint(note, keys);
  } catch (error) {
    if (error instanceof NoteFault) throw new ProofFault(`The ${what} cannot be trusted. ${error.message}`);
    throw error;
  }
}

/** The digest of an entry whose content, position and log are what the proof says. */
function checkEntry(entry: unknown, index: number, log: string): string {
  const position = `The entry at index ${index}`;
  if (!isObject(entry)) throw new ProofFault(`${position} is missing.`);
  const { chain, previous, digest, ...content } = entry;
  if (!isDigest(previous) || !isDigest(digest)) throw new ProofFault(`${position} lacks a digest.`);
  if (Object.hasOwn(content, 'seal')) throw new ProofFault(`${position} has a seal, which its digest does not cover.`);
  if (chain !== log) throw new ProofFault(`${position} is an entry of another log, not of ${log}.`);
  if (content['sequence'] !== index + 1) throw new ProofFault(`${position} has another sequence than ${index + 1}.`);
  if (digestOf(previous, content) === digest) return digest;
  throw new ProofFault(`Entry ${index + 1} was changed: its content does not match its digest.`);
}

/** Null for what cannot be hashed, and was never recorded. */
function digestOf(previous: string, content: JsonObject): string | null {
  try {
    return link(previous, content).digest;
  } catch {
    return null;
  }
}

function checkEntryProof(proof: unknown, checkpoint: TreeCheckpoint, log: string): JsonObject {
  if (!isObject(proof) || !hasOnly(proof, ['index', 'entry', 'path'])) {
    throw new ProofFault('A proof has other members than index, entry and path.');
  }
  const { index, entry } = proof;
  if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < 0) {
    throw new ProofFault('The index of a proof is no position in a log.');
  }
  if (index >= checkpoint.size) {
    throw new ProofFault(`Entry ${index + 1} is beyond the size of the checkpoint, ${checkpoint.size}.`);
  }
  const leaf = leafHash(checkEntry(entry, index, log));
  if (isIncluded({ leaf, index, size: checkpoint.size, root: checkpoint.root, path: readPath(proof['path']) })) {
    return entry as JsonObject;
  }
  throw new ProofFault(`The path of entry ${index + 1} does not lead to the root of the checkpoint.`);
}

function checkInclusion(file: JsonObject, keys: readonly NoteKey[]): CheckedProof {
  const { log, proofs } = file;
  const checkpoint = open(file['checkpoint'], keys, 'checkpoint');
  if (typeof log !== 'string' || partsOfOrigin(checkpoint.origin).chain !== log) {
    throw new ProofFault(`The checkpoint is one of another log: its origin is ${checkpoint.origin}.`);
  }
  if (!Array.isArray(proofs) || proofs.length === 0) throw new ProofFault('The file contains no proof of an entry.');
  return {
    kind: 'inclusion',
    checkpoint,
    entries: proofs.map((proof: unknown) => checkEntryProof(proof, checkpoint, log)),
  };
}

function checkConsistency(file: JsonObject, keys: readonly NoteKey[]): CheckedProof {
  const [old, checkpoint] = [open(file['old'], keys, 'old checkpoint'), open(file['new'], keys, 'new checkpoint')];
  if (old.origin !== checkpoint.origin) {
    throw new ProofFault(`The checkpoints are of two logs: ${old.origin} and ${checkpoint.origin}.`);
  }
  if (old.size > checkpoint.size) {
    throw new ProofFault(
      `The size of the old checkpoint, ${old.size}, is above that of the new one, ${checkpoint.size}.`,
    );
  }
  if (isConsistent({ old, size: checkpoint.size, root: checkpoint.root, path: readPath(file['path']) })) {
    return { kind: 'consistency', old, checkpoint };
  }
  throw new ProofFault(
    `The path does not lead from the root of size ${old.size} to that of size ${checkpoint.size}: the log may have been forked.`,
  );
}

/**
 * Verifies a file of `journal prove` or `journal consistency`, with nothing but the keys.
 * @throws ProofFault for a file that does not prove what it says.
 */
export function checkProofFile(text: string, keys: readonly NoteKey[]): CheckedProof {
  const file = parse(text);
  if (isObject(file) && file['version'] === VERSION) {
    if (hasOnly(file, ['version', 'log', 'checkpoint', 'proofs'])) return checkInclusion(file, keys);
    if (hasOnly(file, ['version', 'old', 'new', 'path'])) return checkConsistency(file, keys);
  }
  throw new ProofFault('This is no proof of version 1, as journal prove and journal consistency write it.');
}

/** What a file of `journal prove --rest` shows beside the proven entries. */
export interface CheckedPeriod {
  /** Sequences of the first and the last entry. */
  readonly from: number;
  readonly to: number;
  /** Entries of the period that the proofs do not show. */
  readonly others: number;
}

/**
 * Verifies that a file lists the digest of every entry of a part of the log, and that the proven entries are among them.
 * @throws ProofFault for a file that does not show that.
 */
export function checkPeriodFile(
  text: string,
  keys: readonly NoteKey[],
  proven: Extract<CheckedProof, { kind: 'inclusion' }>,
): CheckedPeriod {
  const file = parse(text);
  const names = ['version', 'log', 'checkpoint', 'first', 'frontier', 'path', 'digests'];
  if (!isObject(file) || file['version'] !== VERSION || !hasOnly(file, names)) {
    throw new ProofFault('This is no file of version 1, as journal prove --rest writes it.');
  }
  const checkpoint = open(file['checkpoint'], keys, 'checkpoint');
  if (checkpoint.origin !== proven.checkpoint.origin || partsOfOrigin(checkpoint.origin).chain !== file['log']) {
    throw new ProofFault(`The rest is of another log: its origin is ${checkpoint.origin}.`);
  }
  const { first, digests } = file;
  if (typeof first !== 'number' || !Number.isSafeInteger(first) || first < 0 || !Array.isArray(digests)) {
    throw new ProofFault('The rest names no position in a log.');
  }
  const list = digests.map((digest: unknown) => {
    if (isDigest(digest)) return digest;
    throw new ProofFault('The rest has a digest that is none.');
  });
  const end = first + list.length;
  if (list.length === 0 || end > checkpoint.size) {
    throw new ProofFault(`The rest goes beyond the size of its checkpoint, ${checkpoint.size}, or is empty.`);
  }
  const root = rootAfter(first, readPath(file['frontier']), list);
  const { size } = checkpoint;
  if (
    root === null ||
    !isConsistent({ old: { size: end, root }, size, root: checkpoint.root, path: readPath(file['path']) })
  ) {
    throw new ProofFault(
      'The digests of the rest do not lead to the root of its checkpoint: some were changed or cut.',
    );
  }
  for (const { sequence, digest, previous } of proven.entries) {
    const entry = Number(sequence);
    const at = entry - 1 - first;
    if (at < 0 || at >= list.length) throw new ProofFault(`Entry ${entry} is not in the period of the rest.`);
    if (list[at] !== digest || (at > 0 && list[at - 1] !== previous)) {
      throw new ProofFault(`Entry ${entry} has another digest in the rest.`);
    }
  }
  const shown = new Set(proven.entries.map(({ sequence }) => sequence)).size;
  return { from: first + 1, to: end, others: list.length - shown };
}

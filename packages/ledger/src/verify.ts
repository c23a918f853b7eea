import type { JsonObject } from './canonical.ts';
import { GENESIS, link, type Seal, verifySeal } from './chain.ts';
import type { VerificationKey } from './note.ts';

/** One stored entry: the hashed value and the resulting digest. */
export interface ChainedEntry {
  readonly sequence: bigint;
  /** What the digest covers besides `previous`, its `sequence` included. */
  readonly entry: JsonObject;
  /** Hexadecimal, lower case, like `digest`; a tampered table may contain anything. */
  readonly previous: string;
  readonly digest: string;
  /** The seal over this entry's digest, where a batch ended here. */
  readonly seal: Seal | null;
}

export type ChainFault =
  | 'sequence' // an entry is missing, doubled or out of order
  | 'link' // an entry does not refer to the one before it
  | 'digest' // an entry's content is not what was recorded
  | 'seal' // a signature is invalid
  | 'key' // a signature by a key that is not registered, or not trusted
  | 'unsealed' // the last entries have no signature
  | 'truncated' // the log ends before a position that is known to have existed
  | 'forked' // the log differs from the checkpoint
  | 'archive'; // entries are marked as archived that no recorded act archived

export type VerificationResult =
  | { readonly ok: true; readonly entries: bigint; readonly lastSequence: bigint }
  | { readonly ok: false; readonly fault: ChainFault; readonly sequence: bigint; readonly sentence: string };

export interface VerifyOptions {
  readonly chain: string;
  /** The keys whose seals count, by their id. */
  readonly keys: ReadonlyMap<string, VerificationKey>;
  /** A position that an auditor stored elsewhere. It reveals a truncated, restored, forked or re-signed log. */
  readonly checkpoint?: { readonly sequence: bigint; readonly digest: string };
  /**
   * The position before the first entry, where the entries are a part of the chain; otherwise they begin with its first entry.
   * The first of them refers to its digest, and so signs it.
   */
  readonly behind?: { readonly sequence: bigint; readonly digest: string };
  /** Sequence of the last stored seal, read in one snapshot with the last entry. */
  readonly lastSeal?: bigint;
  /** Called with the number of entries that were verified, about every thousand. */
  readonly onProgress?: (entries: bigint) => void;
  /** Called with each entry that continues the one before it. */
  readonly onEntry?: (entry: ChainedEntry) => void;
}

type Fault = Extract<VerificationResult, { ok: false }>;

function fault(kind: ChainFault, sequence: bigint, sentence: string): Fault {
  return { ok: false, fault: kind, sequence, sentence };
}

function digestMatches({ previous, entry, digest }: ChainedEntry): boolean {
  try {
    return link(previous, entry).digest === digest;
  } catch {
    return false; // what cannot be hashed was never recorded
  }
}

/** What is wrong with an entry as the successor of the one before it. */
function linkFault(entry: ChainedEntry, expected: bigint, previous: string): Fault | null {
  const { sequence } = entry;
  if (sequence !== expected) {
    return fault('sequence', expected, `Entry ${expected} is missing: entry ${sequence} is in its place.`);
  }
  if (entry.previous !== previous) {
    return fault('link', sequence, `Entry ${sequence} does not contain the digest of the entry before it.`);
  }
  if (!digestMatches(entry)) {
    return fault('digest', sequence, `Entry ${sequence} was changed: its content does not match its digest.`);
  }
  return null;
}

/** What a signature is rejected with whose key is not among the trusted ones. */
export const UNTRUSTED = 'is not trusted: it is not endorsed, or not among the given keys';

async function sealFault({ sequence, digest, seal }: ChainedEntry, options: VerifyOptions): Promise<Fault | null> {
  if (!seal) return null;
  const key = options.keys.get(seal.keyId);
  if (!key) return fault('key', sequence, `Entry ${sequence} is signed by the key ${seal.keyId}, which ${UNTRUSTED}.`);
  const holds = await verifySeal(key, { chain: options.chain, sequence, digest }, seal);
  return holds ? null : fault('seal', sequence, `The signature over entry ${sequence} is not valid.`);
}

type Checkpoint = NonNullable<VerifyOptions['checkpoint']>;

function checkpointFault({ sequence, digest }: Checkpoint, { checkpoint }: VerifyOptions): Fault | null {
  if (checkpoint?.sequence !== sequence || checkpoint.digest === digest) return null;
  return fault(
    'forked',
    sequence,
    `Entry ${sequence} is not the one the checkpoint was taken of: this is another log.`,
  );
}

function endFault(last: ChainedEntry | null, end: bigint, { checkpoint, lastSeal = 0n }: VerifyOptions): Fault | null {
  if (checkpoint && checkpoint.sequence > end) {
    return fault(
      'truncated',
      end,
      `The log ends at entry ${end}, but the checkpoint knows entry ${checkpoint.sequence}.`,
    );
  }
  if (lastSeal > end) return fault('truncated', end, `The log ends at entry ${end}, but entry ${lastSeal} was signed.`);
  if (last && !last.seal) return fault('unsealed', end, `The log ends with entry ${end}, which no signature covers.`);
  return null;
}

/** Where every chain begins. */
const BEGINNING: Checkpoint = { sequence: 0n, digest: GENESIS };

const PENDING_SEALS = 256;

/** The first of the faults in the log: seals are in its order, and precede the other one. */
async function firstFault(seals: readonly Promise<Fault | null>[], other: Fault | null): Promise<Fault | null> {
  const faults = [...(await Promise.all(seals)), other];
  return faults.find((one) => one !== null) ?? null;
}

/**
 * Verifies a whole chain, or a part of one, in one pass, in the order of its sequences: no gap, every link, every digest, every signature, and
 * the checkpoint where one is given. Time grows with the number of entries, memory does not.
 */
export async function verifyChain(
  entries: AsyncIterable<ChainedEntry>,
  options: VerifyOptions,
): Promise<VerificationResult> {
  const { behind = BEGINNING } = options;
  const forked = checkpointFault(behind, options);
  if (forked) return forked;
  let seals: Promise<Fault | null>[] = [];
  let last: ChainedEntry | null = null;
  let count = 0n;
  for await (const entry of entries) {
    const expected = behind.sequence + count + 1n;
    const broken = linkFault(entry, expected, (last ?? behind).digest) ?? checkpointFault(entry, options);
    if (!broken && entry.seal) seals.push(sealFault(entry, options));
    if (broken || seals.length >= PENDING_SEALS) {
      const found = await firstFault(seals, broken);
      if (found) return found;
      seals = [];
    }
    options.onEntry?.(entry);
    last = entry;
    count += 1n;
    if (count % 1024n === 0n) options.onProgress?.(count);
  }
  const lastSequence = behind.sequence + count;
  const found = await firstFault(seals, endFault(last, lastSequence, options));
  return found ?? { ok: true, entries: count, lastSequence };
}

/** A line that is no exported entry; the message has the cause. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault';
}

/** An entry, and the log it is of. */
export interface ExportedEntry extends ChainedEntry {
  readonly chain: string;
}

/** An entry as one line of JSON, without the line feed: everything needed to verify it elsewhere. */
export function writeExportedEntry({ chain, entry, previous, digest, seal }: ExportedEntry): string {
  const sealed = seal && { keyId: seal.keyId, signature: Buffer.from(seal.signature).toString('hex') };
  return JSON.stringify({ chain, ...entry, previous, digest, seal: sealed });
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

function sealOf(value: unknown): ChainedEntry['seal'] | undefined {
  if (value === null) return null;
  if (typeof value !== 'object') return undefined;
  const { keyId, signature, ...more } = value as Partial<Record<string, unknown>>;
  const whole = isDigest(keyId) && typeof signature === 'string' && /^[0-9a-f]{128}$/.test(signature);
  return whole && Object.keys(more).length === 0 ? { keyId, signature: Buffer.from(signature, 'hex') } : undefined;
}

/** A line's entry, and its canonical text. */
function parse(line: string): { readonly value: unknown; readonly rewritten: string } {
  try {
    const value: unknown = JSON.parse(line);
    return { value, rewritten: JSON.stringify(value) };
  } catch {
    throw new ExportFault('is not JSON, or nested too deeply');
  }
}

/**
 * Reads a line of an export. Only the exported form is accepted: programs could read a repeated member, or a number in another
 * form, differently, and only one reading would have been verified.
 * @throws ExportFault where it is no such line.
 */
export function readExportedEntry(line: string): ExportedEntry {
  const { value, rewritten } = parse(line);
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new ExportFault('is no entry');
  if (rewritten !== line) {
    throw new ExportFault(
      'is not written as it was exported (white space, a member given twice, the form of a number or a text)',
    );
  }
  const { chain, previous, digest, seal: written, ...entry } = value as JsonObject;
  const seal = sealOf(written);
  const { sequence } = entry;
  if (typeof chain !== 'string' || !isDigest(previous) || !isDigest(digest) || seal === undefined) {
    throw new ExportFault('is not an entry: it lacks its chain, previous, digest or seal');
  }
  if (!Number.isSafeInteger(sequence)) throw new ExportFault('is not an entry: it lacks its sequence');
  return { chain, sequence: BigInt(sequence as number), entry, previous, digest, seal };
}

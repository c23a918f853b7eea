import { createReadStream } from 'node:fs';
import { GENESIS, type JsonValue } from '@gateway/ledger';
import { withLock } from '../files/lock.ts';
import { replaceFile } from '../files/replace.ts';
import { digestHolds, entryBehind, type Position, type RecordEntry, readEntry } from './entry.ts';

/** A record as it was read and verified. */
export interface ReadRecord {
  /** Every entry up to the end; those behind a break too, as far as they can be read. */
  readonly entries: readonly RecordEntry[];
  readonly purged: readonly ProvedRange[];
  /** Null if the chain is valid. */
  readonly broken: Break | null;
}

/** The first position that does not match. */
export interface Break {
  readonly sequence: number;
  /** How many entries come before it in the file. */
  readonly index: number;
  /** A sentence: what is wrong there. */
  readonly reason: string;
  /** Bytes of an incomplete last line after a crash; everything before it is valid. Absent for any other break. */
  readonly torn?: number;
}

const LINE_FEED = 0x0a;

/** The lines of a file. The last one has `whole` false where no line feed ends it. */
async function* linesOf(path: string): AsyncGenerator<{ readonly line: Buffer; readonly whole: boolean }> {
  let parts: Buffer[] = [];
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, from)) {
      yield { line: Buffer.concat([...parts, chunk.subarray(from, end)]), whole: true };
      parts = [];
      from = end + 1;
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length > 0) yield { line: Buffer.concat(parts), whole: false };
}

/**
 * Reads a record and verifies it: every digest, every link, and for entries that were purged the range that proves it.
 * @throws the system's error where the file cannot be read.
 */
export async function readRecord(path: string): Promise<ReadRecord> {
  const entries: RecordEntry[] = [];
  let unread: { readonly after: number; readonly torn: number | null } | null = null;
  for await (const { line, whole } of linesOf(path)) {
    const entry = readEntry(line.toString('utf8'));
    if (entry !== null) entries.push(entry);
    else unread ??= { after: entries.length, torn: whole ? null : line.length };
  }
  const purged = rangesIn(entries);
  const [end, broken] = firstBreak(unread === null ? entries : entries.slice(0, unread.after), purged);
  if (broken !== null || unread === null) return { entries, purged, broken };
  const sequence = end.sequence + 1;
  const index = unread.after;
  if (unread.torn === null) {
    const reason = `The line of entry ${sequence} is not an entry of a record.`;
    return { entries, purged, broken: { sequence, index, reason } };
  }
  const reason = `Entry ${sequence} was cut off while it was written, as a crash leaves it. Its action did not happen.`;
  return { entries, purged, broken: { sequence, index, reason, torn: unread.torn } };
}

function firstBreak(
  entries: readonly RecordEntry[],
  purged: readonly PurgedRange[],
): readonly [Position, Break | null] {
  let end: Position = { sequence: 0, digest: GENESIS };
  for (const [index, entry] of entries.entries()) {
    const before = entry.sequence === end.sequence + 1 ? end : beyondPurged(end, entry.sequence - 1, purged);
    const reason = before === null ? missing(end, entry) : reasonAgainst(before, entry);
    if (reason !== null) return [end, { sequence: entry.sequence, index, reason }];
    end = entry;
  }
  return [end, null];
}

function missing(end: Position, { sequence }: RecordEntry): string {
  return `Entry ${sequence} is where entry ${end.sequence + 1} should be, and no purge removed that one.`;
}

function reasonAgainst({ digest }: Position, entry: RecordEntry): string | null {
  const { sequence } = entry;
  if (entry.previous !== digest) return `Entry ${sequence} does not follow the entry before it.`;
  return digestHolds(entry) ? null : `Entry ${sequence} was changed: its content does not match its digest.`;
}

/** The end of the entries up to `last`, where purges removed all of them; else null. */
function beyondPurged(from: Position, last: number, purged: readonly PurgedRange[]): Position | null {
  let end = from;
  while (end.sequence < last) {
    const next = purged.find(({ first, previous }) => first === end.sequence + 1 && previous === end.digest);
    if (next === undefined) return null;
    end = { sequence: next.last, digest: next.digest };
  }
  return end.sequence === last ? end : null;
}

/** Entries that a purge removed, and what ties the rest of the chain together where they were. */
export interface PurgedRange {
  readonly first: number;
  readonly last: number;
  /** Digest of the entry before the first. */
  readonly previous: string;
  /** Digest of the last: the owner of a copy of the entries can prove with it that they are the originals. */
  readonly digest: string;
  /** When the first and the last were written. */
  readonly from: string;
  readonly until: string;
}

/** A range, with the entry that proves it. */
interface ProvedRange extends PurgedRange {
  readonly provedBy: number;
  readonly purgedAt: string;
}

const isDigest = (value: unknown): value is string => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

function readRange(value: unknown): PurgedRange | null {
  if (value === null || typeof value !== 'object') return null;
  const { first, last, previous, digest, from, until } = value as Partial<Record<keyof PurgedRange, unknown>>;
  if (!isCount(first) || !isCount(last) || last < first || !isDigest(previous) || !isDigest(digest)) return null;
  return { first, last, previous, digest, from: String(from), until: String(until) };
}

/** The ranges that the purge entries of a record name. A purge removes only what was written before it. */
export function rangesIn(entries: readonly RecordEntry[]): readonly ProvedRange[] {
  return entries.flatMap((entry) => {
    const ranges: unknown = entry.kind === 'purge' ? entry['removed'] : null;
    if (!Array.isArray(ranges)) return [];
    return ranges.flatMap((value: unknown): ProvedRange[] => {
      const range = readRange(value);
      if (range === null || range.last >= entry.sequence) return [];
      return [{ ...range, provedBy: entry.sequence, purgedAt: entry.at }];
    });
  });
}

export type Purge =
  | { readonly outcome: 'purged'; readonly removed: number; readonly kept: number }
  | { readonly outcome: 'unchanged' }
  /** Nothing was removed: what remained could not be verified any more. */
  | { readonly outcome: 'broken'; readonly broken: Break };

/**
 * Removes a session's entries older than an instant. A `purge` entry replaces them in the chain: it contains the digests on
 * both sides of every gap, so that the rest still verifies. Purge entries are never removed.
 */
export function purgeRecord(path: string, before: Date, now: Date): Promise<Purge> {
  return withLock(`${path}.lock`, async () => {
    const { entries, broken } = await readRecord(path);
    if (broken !== null && broken.torn === undefined) return { outcome: 'broken', broken };
    const isKept = (entry: RecordEntry) => entry.kind === 'purge' || Date.parse(entry.at) >= before.getTime();
    const kept = entries.filter(isKept);
    const last = entries.at(-1);
    if (last === undefined || kept.length === entries.length) return { outcome: 'unchanged' };
    const removed = rangesOf(entries, isKept).map((range): JsonValue => ({ ...range }));
    const detail = { before: before.toISOString(), removed, torn: broken?.torn };
    const proof = entryBehind(last, now, { kind: 'purge', ...detail });
    const text = [...kept, proof].map((entry) => `${JSON.stringify(entry)}\n`).join('');
    await replaceFile(path, text);
    return { outcome: 'purged', removed: entries.length - kept.length, kept: kept.length };
  });
}

/** The ranges of consecutive entries that are removed. */
function rangesOf(entries: readonly RecordEntry[], isKept: (entry: RecordEntry) => boolean): readonly PurgedRange[] {
  const ranges: PurgedRange[] = [];
  for (const entry of entries) {
    if (isKept(entry)) continue;
    const { sequence, previous, digest, at } = entry;
    const open = ranges.at(-1);
    if (open !== undefined && open.last + 1 === sequence) {
      ranges[ranges.length - 1] = { ...open, last: sequence, digest, until: at };
    } else ranges.push({ first: sequence, last: sequence, previous, digest, from: at, until: at });
  }
  return ranges;
}

import { createReadStream } from 'node:fs';
import { GENESIS } from '@gateway/ledger';
import { digestHolds, type Position, type RecordEntry, readEntry } from './entry.ts';
import { type ProvedRange, type PurgedRange, rangesIn } from './purged.ts';

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

import type { RecordEntry } from './entry.ts';

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
export interface ProvedRange extends PurgedRange {
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

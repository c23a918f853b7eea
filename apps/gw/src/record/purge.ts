import type { JsonValue } from '@gateway/ledger';
import { withLock } from '../files/lock.ts';
import { replaceFile } from '../files/replace.ts';
import { entryBehind, type RecordEntry } from './entry.ts';
import type { PurgedRange } from './purged.ts';
import { type Break, readRecord } from './read.ts';

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

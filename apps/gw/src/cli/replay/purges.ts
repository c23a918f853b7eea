import type { ReadRecord } from '../../record/read.ts';
import type { StoredRecord } from '../../record/store.ts';

/** A record with what verifying it gave. */
export type Verified = StoredRecord & ReadRecord;

/** The purged ranges of records, as JSON. */
export function purgesJson(records: readonly Verified[]): string {
  const purges = records.flatMap(({ session, purged, broken }) =>
    purged.map((range) => ({ session, ...range, proved: broken === null })),
  );
  return `${JSON.stringify({ purges })}\n`;
}

/** The same for people: which entries, when they were written and purged, and the digests on both sides of the gap. */
export function purgesText(records: readonly Verified[]): string {
  const lines = records.flatMap(({ session, purged, broken }) =>
    purged.flatMap(({ first, last, from, until, purgedAt, provedBy, previous, digest }) => [
      `Session ${session}: entries ${first} to ${last}, written from ${from} to ${until}`,
      `  purged:    ${purgedAt}`,
      `  proved by: entry ${provedBy}${broken === null ? '' : ', but the record is broken'}`,
      `  previous:  ${previous}`,
      `  digest:    ${digest}`,
    ]),
  );
  return lines.length === 0 ? 'Nothing was purged.\n' : `${lines.join('\n')}\n`;
}

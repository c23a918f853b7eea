import type { Queryable } from '../../client/connect.ts';
import type { Fragment } from './conditions.ts';
import { type Page, reading } from './pages.ts';

/** Sort key of an entry of a log. */
export type EntryKey = readonly [at: string, sequence: number];

/**
 * The order of a log's list, newest first; its table is called `entry`. A log grows in the order of its sequence. A query with a
 * period uses the instant, so that an index finds the period's end and reading stops with the page; the sequence alone would not
 * do, since a refusal may be appended after later ones.
 */
export function orderOf(
  sql: Queryable,
  { from, until }: { readonly from: string | null; readonly until: string | null },
  page: Page<EntryKey>,
): { readonly by: Fragment; readonly after: (key: EntryKey) => Fragment } {
  const { past, way } = reading(sql, 'descending', page);
  if (from === null && until === null) {
    return { by: sql`entry.sequence ${way}`, after: ([, sequence]) => sql`entry.sequence ${past} ${sequence}` };
  }
  return {
    by: sql`entry.at ${way}, entry.sequence ${way}`,
    after: ([at, sequence]) => sql`(entry.at, entry.sequence) ${past} (${at}::timestamptz, ${sequence}::bigint)`,
  };
}

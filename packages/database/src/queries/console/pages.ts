import type { PendingQuery, Row } from 'postgres';
import type { Queryable } from '../../client/connect.ts';

/**
 * A page of a list: at most `limit` rows after the key of the last one seen, or from the list's beginning where that is null; without
 * a limit, all of them (an export). Backwards, the list is read from its end: the rows that lie before the key, the nearest first.
 */
export interface Page<Key> {
  readonly limit: number | null;
  readonly after: Key | null;
  readonly backwards?: boolean;
}

/**
 * How the sort key of a list is compared with the key that a page is asked for after, and the way its columns are ordered.
 * @param order the order of the list as it is shown
 */
export function reading(
  sql: Queryable,
  order: 'ascending' | 'descending',
  { backwards = false }: Pick<Page<unknown>, 'backwards'>,
): { readonly past: PendingQuery<Row[]>; readonly way: PendingQuery<Row[]> } {
  return (order === 'ascending') === backwards ? { past: sql`<`, way: sql`desc` } : { past: sql`>`, way: sql`asc` };
}

/** Sort key of what is listed by instant, the newest first: the instant as ISO text, and the id that parts equal ones. */
export type InstantKey = readonly [at: string, id: string];

/** One row more than the page holds, which tells that another page follows; nothing for an export. */
export function limited(sql: Queryable, limit: number | null): PendingQuery<Row[]> {
  return limit === null ? sql`` : sql`limit ${limit + 1}`;
}

/** A query that is read page by page where it is awaited, or row by row where it is taken as a cursor. */
export type Rows<Kind extends object> = PendingQuery<(Kind & Row)[]>;

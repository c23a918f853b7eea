import type { PendingQuery, Row } from 'postgres';
import type { Fragment } from './conditions.ts';
import type { Queryable } from './connect.ts';

/**
 * A page of a list: at most `limit` rows after the key of the last row seen, or from the list's beginning where that is null;
 * without a limit, all rows (an export). Backwards, the list is read from its end: the rows before the key, nearest first.
 */
export interface Page<Key> {
  readonly limit: number | null;
  readonly after: Key | null;
  readonly backwards?: boolean;
  /** The list's own order turned round. */
  readonly reversed?: boolean;
  /** By one of its columns instead; `after` is null then. */
  readonly sorted?: Sorted | null;
}

/** The most names of what still refers to a thing. */
export const MOST_REFERRING = 10;

/** How a column is compared. */
export type SortType = 'text' | 'float8' | 'timestamptz' | 'boolean';

/** The order of one column, and where a page of it begins. */
export interface Sorted {
  readonly column: string;
  readonly type: SortType;
  readonly descending: boolean;
  /** The last seen row's value, as text, and its tie-breaker among equal values. */
  readonly past: readonly [value: string, tie: string] | null;
}

/** A row of a list sorted by a column: with its sort key. */
export interface SortedRow {
  readonly sortValue: string;
  readonly sortTie: string;
}

/**
 * The comparison of a list's sort key with the key of the last seen row, and the order of its columns.
 * @param order the order of the shown list
 */
export function reading(
  sql: Queryable,
  order: 'ascending' | 'descending',
  { backwards = false, reversed = false }: Pick<Page<unknown>, 'backwards' | 'reversed'>,
): { readonly past: PendingQuery<Row[]>; readonly way: PendingQuery<Row[]> } {
  return ((order === 'ascending') === reversed) !== backwards
    ? { past: sql`<`, way: sql`desc` }
    : { past: sql`>`, way: sql`asc` };
}

/** Sort key of what is listed by instant, the newest first: the instant as ISO text, and the id that parts equal ones. */
export type InstantKey = readonly [at: string, id: string];

/** One row more than the page, which shows whether another page follows; null for an export. */
export function limitRows(sql: Queryable, limit: number | null): PendingQuery<Row[]> {
  return limit === null ? sql`` : sql`limit ${limit + 1}`;
}

/** A query that is awaited as a page, or read row by row as a cursor. */
export type Rows<Kind extends object> = PendingQuery<(Kind & Row)[]>;

/** Replaces null: the smallest value. */
const LEAST: Readonly<Record<SortType, string>> = {
  text: '',
  float8: '-Infinity',
  timestamptz: '-infinity',
  boolean: 'false',
};

/**
 * The page of a list: in the list's own order, or in that of a column.
 * @param rows the list as a select without an order
 * @param order its own order
 * @param tie the column that differs in each row
 * @param expressions sort expressions for columns whose raw value is not meaningful; the row is called `listed`
 */
export function addPosition<Kind extends object>(
  sql: Queryable,
  rows: Fragment,
  order: Fragment,
  { limit, backwards = false, sorted = null }: Page<unknown>,
  tie = 'id',
  expressions: Readonly<Record<string, Fragment>> = {},
): Rows<Kind> {
  if (sorted === null) return sql`${rows} order by ${order} ${limitRows(sql, limit)}`;
  const type = sql.unsafe(sorted.type);
  const value = sql`coalesce((${expressions[sorted.column] ?? sql`listed.${sql(sorted.column)}`})::${type}, ${LEAST[sorted.type]}::text::${type})`;
  const id = sql`(listed.${sql(tie)})::text`;
  const isDown = sorted.descending !== backwards;
  const past =
    sorted.past === null
      ? sql`true`
      : sql`(${value}, ${id}) ${isDown ? sql`<` : sql`>`} (${sorted.past[0]}::text::${type}, ${sorted.past[1]}::text)`;
  const way = isDown ? sql`desc` : sql`asc`;
  return sql`
    select listed.*, ${value}::text as "sortValue", ${id} as "sortTie" from (${rows}) listed
    where ${past} order by ${value} ${way}, ${id} ${way} ${limitRows(sql, limit)}`;
}

import type { PendingQuery, Row } from 'postgres';
import postgres from 'postgres';
import type { Queryable } from './connect.ts';

/** A part of a statement. */
export type Fragment = PendingQuery<Row[]>;

/**
 * Joins the requested conditions. An unused condition is absent from the statement, never `null or …`: the planner could use no
 * index for that, and a list must stay fast at a million rows.
 */
export function all(sql: Queryable, conditions: readonly (Fragment | null)[]): Fragment {
  const [first, ...rest] = conditions.filter((condition) => condition !== null);
  return rest.reduce((joined, condition) => sql`${joined} and ${condition}`, first ?? sql`true`);
}

/** The condition for a value, or none without a value. */
export function whenPresent<Value>(value: Value | null, condition: (value: Value) => Fragment): Fragment | null {
  return value === null ? null : condition(value);
}

/** Whether a column contains a text, in any case. */
export const holds = (sql: Queryable, column: string, part: string): Fragment =>
  sql`position(lower(${part}) in lower(${sql(column)})) > 0`;

/** Whether one of several columns contains a text, in any case. */
export const holdsAny = (sql: Queryable, columns: readonly string[], part: string): Fragment =>
  sql`(${columns.map((column) => holds(sql, column, part)).reduce((one, other) => sql`${one} or ${other}`)})`;

/** A constraint of the schema that a statement violated. */
export interface Violation {
  readonly kind: 'taken' | 'reference' | 'check';
  readonly constraint: string;
}

const KINDS: Readonly<Record<string, Violation['kind']>> = {
  '23505': 'taken',
  '23503': 'reference',
  '23514': 'check',
};

/** What a failed statement violated; undefined for every other failure. */
export function violationOf(error: unknown): Violation | undefined {
  if (!(error instanceof postgres.PostgresError)) return undefined;
  const kind = KINDS[error.code];
  return kind === undefined ? undefined : { kind, constraint: error.constraint_name ?? '' };
}

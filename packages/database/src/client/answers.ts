import type { Sql } from './connect.ts';
import type { Link } from './link.ts';
import { unavailable } from './unavailable.ts';

/**
 * The result of work on a link, where a statement that the server refused also counts as no answer.
 * @param deadline on the clock of `performance.now()`. @throws DatabaseUnavailable
 */
export async function answer<Result>(
  link: Link,
  deadline: number,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  try {
    return await link.run(deadline, work);
  } catch (error) {
    throw unavailable(error);
  }
}

/** The rows that a prepared statement gives, likewise. */
export function rowsOf<Row extends object>(
  link: Link,
  deadline: number,
  text: string,
  parameters: readonly (string | number | null)[],
): Promise<Row[]> {
  return answer(link, deadline, async (sql) => [
    ...(await sql.unsafe<Row[]>(text, [...parameters], { prepare: true })),
  ]);
}

/** How a JSON array of objects becomes rows of a table. */
interface RecordSet {
  /** The columns for the members of an object: `keyId` is stored in `key_id`. */
  readonly columns: string;
  /** A call that returns the objects in the parameter of this number, as an item of `rows from`. */
  readonly objects: (parameter: number) => string;
  /** The same as a source to select the columns from. */
  readonly rows: (parameter: number) => string;
}

/**
 * A batch is sent as one JSON text, which costs a gateway a fraction of a list per column, and needs one prepared statement for
 * batches of every size.
 * @param types of the columns, by the member of an object that they store
 */
export function recordSet(types: Readonly<Record<string, string>>): RecordSet {
  const names = Object.keys(types);
  const columns = names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', ');
  const members = names.map((name) => `"${name}" ${types[name]}`).join(', ');
  // A text first: the client would write a parameter of the type json as JSON once more. As jsonb, a row takes the server twice the time.
  const objects = (parameter: number): string => `json_to_recordset($${parameter}::text::json) as (${members})`;
  const rows = (parameter: number): string => `rows from (${objects(parameter)}) as record (${columns})`;
  return { columns, objects, rows };
}

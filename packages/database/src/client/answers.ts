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

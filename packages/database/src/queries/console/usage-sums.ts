import type { Sql } from '../../client/connect.ts';

/** Records added in one transaction: short enough to delay no other. */
const MOST = 20_000;

/** Adds every record that is in no sum yet to the sums of its day and month. Several consoles may do so at once. */
export async function addUpUsage(sql: Sql): Promise<void> {
  for (let added = MOST; added === MOST; ) {
    const [row] = await sql<{ added: number }[]>`select add_up_usage(${MOST})::float8 as added`;
    added = row?.added ?? 0;
  }
}

import type { Sql } from '../../../client/connect.ts';

/** Records added up in one transaction: short enough to hold nobody up. */
const MOST = 20_000;

/** Adds every record that no sum holds yet to the sums of its day and month. Several consoles may ask at once. */
export async function addUpUsage(sql: Sql): Promise<void> {
  for (let added = MOST; added === MOST; ) {
    const [row] = await sql<{ added: number }[]>`select add_up_usage(${MOST})::float8 as added`;
    added = row?.added ?? 0;
  }
}

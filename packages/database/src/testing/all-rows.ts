import type { Sql } from '../client/connect.ts';

/** Every row of every table as text, `bytea` as hexadecimal and as text: for checks that a value is absent. */
export async function allRowsOf(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`;
  const dump = new Map<string, string>();
  for (const { name } of tables) {
    const rows = await sql.unsafe<{ row: string }[]>(`select t::text as row from ${name} t`);
    dump.set(name, rows.map(({ row }) => row.replaceAll('""', '"').replaceAll('\\\\', '\\')).join('\n'));
  }
  return dump;
}

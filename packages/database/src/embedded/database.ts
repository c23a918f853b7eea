import { connect, parseDatabaseAddress } from '../connect.ts';

/** Makes a database of this name where the server has none. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const sql = connect(parseDatabaseAddress(serverUrl), { max: 1, applicationName: 'gateway-embedded' });
  try {
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)}`;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

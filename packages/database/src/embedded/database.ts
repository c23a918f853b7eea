import { parseDatabaseAddress, withPool } from '../client/connect.ts';

/** Makes a database of this name where the server has none. */
export async function ensureDatabase(serverUrl: string, name: string): Promise<void> {
  const server = parseDatabaseAddress(serverUrl);
  await withPool(server, { max: 1, applicationName: 'gateway-embedded' }, async (sql) => {
    const [found] = await sql`select from pg_database where datname = ${name}`;
    if (!found) await sql`create database ${sql(name)}`;
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, parseDatabaseAddress, withPool } from '@gateway/database';
import { startEmbeddedPostgres } from '@gateway/database/embedded';

export interface PreparedDatabase {
  /** Of the server, as it is in addresses. */
  readonly host: string;
  close(): Promise<void>;
}

async function runEach(address: string, statements: readonly string[]): Promise<void> {
  await withPool(parseDatabaseAddress(address), { max: 1 }, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement);
  });
}

/**
 * A server of its own, prepared by the statements of the page about a single machine: what makes the owner and the
 * database is run by the server's administrator, the rest by that owner, with no more rights than the page gives.
 */
export async function prepareDatabase(statements: readonly string[]): Promise<PreparedDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'manual-database-'));
  const server = await startEmbeddedPostgres({ directory, port: 0, database: 'postgres' });
  const host = `localhost:${server.port}`;
  const owner = `postgres://owner:password@${host}/gateway`;
  const makes = (statement: string) => statement.startsWith('create ');
  await runEach(server.ownerUrl, statements.filter(makes));
  await migrate(owner);
  await runEach(
    owner,
    statements.filter((statement) => !makes(statement)),
  );
  return {
    host,
    async close() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

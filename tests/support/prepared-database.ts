import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate, parseDatabaseAddress, withPool } from '@gateway/database';
import { startEmbeddedPostgres } from '@gateway/database/embedded';

export interface PreparedDatabase {
  /** The server's name in addresses. */
  readonly host: string;
  close(): Promise<void>;
}

async function runEach(address: string, statements: readonly string[]): Promise<void> {
  await withPool(parseDatabaseAddress(address), { max: 1 }, async (sql) => {
    for (const statement of statements) await sql.unsafe(statement);
  });
}

/**
 * A separate server, prepared by the statements of the page about a single machine: the server's administrator creates the
 * owner and the database; that owner runs the rest, with only the rights of the page.
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

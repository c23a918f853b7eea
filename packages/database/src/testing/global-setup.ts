import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { parseDatabaseAddress, withPool } from '../client/connect.ts';
import { startEmbeddedPostgres } from '../embedded/start.ts';
import { migrate } from '../migrations/migrate.ts';
import { SERVICE_PASSWORD, TEMPLATE, withDatabase } from './names.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    postgresOwnerUrl: string;
  }
}

/** One embedded server a test run, and in it one migrated template that every test database is a copy of. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-test-'));
  const server = await startEmbeddedPostgres({
    directory,
    port: 0,
    database: TEMPLATE,
    durable: false,
    settings: { max_connections: '400', shared_buffers: '64MB' },
  });
  const templateUrl = withDatabase(server.ownerUrl, TEMPLATE);
  await migrate(templateUrl);
  await withPool(parseDatabaseAddress(templateUrl), { max: 1 }, async (sql) => {
    for (const role of ['gateway_service', 'console_service']) {
      await sql.unsafe(`alter role ${role} password '${SERVICE_PASSWORD}'`);
    }
  });
  project.provide('postgresOwnerUrl', server.ownerUrl);
  return async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
}

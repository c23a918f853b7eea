import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { connect, parseDatabaseAddress } from '../client/connect.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../embedded/start.ts';
import { SERVICE_PASSWORD, withDatabase, withRole } from '../testing/names.ts';
import { migrate } from './migrate.ts';

/** A server of its own: roles belong to the whole server, and on the shared one they are there. */
const directory = mkdtempSync(join(tmpdir(), 'gateway-roles-'));
let server: EmbeddedPostgres;
beforeAll(async () => {
  server = await startEmbeddedPostgres({ directory, port: 0, settings: { shared_buffers: '32MB' } });
});
afterAll(async () => {
  await server.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function asSuperuser(...statements: readonly string[]): Promise<void> {
  const sql = connect(parseDatabaseAddress(server.ownerUrl), { max: 1 });
  try {
    for (const statement of statements) await sql.unsafe(statement);
  } finally {
    await sql.end();
  }
}

it('an owner who may not make the service roles is shown how to get that right', async () => {
  await asSuperuser(
    `create role "The Owner" login password '${SERVICE_PASSWORD}'`,
    'create database plain owner "The Owner"',
  );
  const owner = withDatabase(withRole(server.ownerUrl, 'The Owner'), 'plain');
  await expect(migrate(owner)).rejects.toThrow(/As a superuser: alter role "The Owner" createrole/);
  await asSuperuser('alter role "The Owner" createrole');
  expect((await migrate(owner)).length).toBeGreaterThan(1);
});

it('a database that was restored where there are no service roles is not called current', async () => {
  await migrate(server.ownerUrl);
  const owned = 'drop owned by gateway_service, console_service';
  await asSuperuser(owned);
  const sql = connect(parseDatabaseAddress(withDatabase(server.ownerUrl, 'plain')), { max: 1 });
  await sql.unsafe(owned);
  await sql.end();
  await asSuperuser('drop role gateway_service', 'drop role console_service');
  await expect(migrate(server.ownerUrl)).rejects.toThrow(
    /no role gateway_service and no role console_service\. .* restore the backup again/,
  );
});

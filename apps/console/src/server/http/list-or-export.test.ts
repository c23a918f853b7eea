import { connect, parseDatabaseAddress, type Sql } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { listOrExport } from './list-or-export.ts';

let database: TestDatabase;
let exports: Sql;
beforeAll(async () => {
  database = await createTestDatabase();
  exports = connect(parseDatabaseAddress(database.consoleUrl), { max: 1, applicationName: 'exports' });
});
afterAll(async () => {
  await exports.end({ timeout: 1 });
  await database.drop();
});

async function asFile(): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const call = {
    query: { limit: 50 },
    services: { exports },
    request: new Request('http://console/api/numbers', { headers: { accept: 'application/x-ndjson' } }),
  } as never;
  const answer = await listOrExport(call, {
    plural: 'numbers',
    columns: ['number'],
    select: (sql) => sql`select number from generate_series(1, 2000) number`,
    keyOf: () => [],
  });
  if (answer.body === null) throw new Error('a file without a body');
  return answer.body.getReader();
}

async function rest(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    text += new TextDecoder().decode(part.value);
  return text;
}

it('a file contains every row, and another can be exported after it, or after one whose reader disconnected', async () => {
  for (let round = 0; round < 2; round += 1) {
    expect((await rest(await asFile())).trim().split('\n')).toHaveLength(2000);
    const left = await asFile();
    await left.read();
    await left.cancel();
  }
});

it('a file whose database connection is lost while its reader is stalled is cut off, and not mistaken for complete', async () => {
  const reader = await asFile();
  await reader.read();
  await database.sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where application_name = 'exports' and datname = current_database()`;
  await expect(rest(reader)).rejects.toThrow(/lost|CONNECTION_/);
  expect((await rest(await asFile())).trim().split('\n')).toHaveLength(2000);
});

import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseDatabaseAddress } from './address.ts';
import { appendAdministrationAction } from './chain/append-action.ts';
import { ACTIONS } from './chain/names.ts';
import { connect, type Sql } from './connect.ts';
import { createTestDatabase, type TestDatabase, verdictOn } from './testing/index.ts';

const signer = createSigner(generateSigningKey());
let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  const act = { component: 'console', author: 'a', action: 'x', target: 'y', oldValue: null, newValue: null } as const;
  await database.sql.begin((transaction) => appendAdministrationAction(transaction, act, signer));
});
afterEach(async () => {
  await sql.end();
  await database.drop();
});

it.each([
  ['TimeZone', 'America/St_Johns'],
  ['DateStyle', 'SQL, DMY'],
  ['DateStyle', 'German'],
  ['bytea_output', 'escape'],
])('reads what is there, although the database is set to %s = %s for other programs', async (name, value) => {
  await database.sql.unsafe(`do $$ begin
    execute format('alter database %I set ${name} = %L', current_database(), '${value}');
  end $$`);
  sql = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
  expect(await verdictOn(sql, ACTIONS)).toEqual({ ok: true, entries: 1n, lastSequence: 1n });
});

import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appendAdministrationAction } from '../audit-log/append-action.ts';
import { ACTIONS } from '../audit-log/names.ts';
import { createTestDatabase, type TestDatabase, verdictOn } from '../testing/index.ts';
import { parseDatabaseAddress } from './address.ts';
import { connect, type Queryable, type Sql } from './connect.ts';

const signer = createSigner(generateSigningKey());
const act = { component: 'console', author: 'a', action: 'x', target: 'y', oldValue: null, newValue: null } as const;
let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.sql.begin((transaction) => appendAdministrationAction(transaction, act, signer));
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

/** The settings that a database team makes for all clients of the database. */
async function set(name: string, value: string): Promise<void> {
  await database.sql.unsafe(`do $$ begin
    execute format('alter database %I set ${name} = %L', current_database(), '${value}');
  end $$`);
}

it.each([
  ['TimeZone', 'America/St_Johns'],
  ['DateStyle', 'SQL, DMY'],
  ['DateStyle', 'German'],
  ['bytea_output', 'escape'],
])('reads what is there, although the database is set to %s = %s for other programs', async (name, value) => {
  await set(name, value);
  sql = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
  expect(await verdictOn(sql, ACTIONS)).toEqual({ ok: true, entries: 1n, lastSequence: 1n });
});

it.each([
  ['synchronous_commit', 'off', 'on'],
  ['default_transaction_isolation', 'serializable', 'read committed'],
  ['search_path', 'reporting', 'public, pg_temp'],
  ['standard_conforming_strings', 'off', 'on'],
  ['extra_float_digits', '-15', '1'],
])('ignores the database’s settings for other programs: %s = %s', async (name, value, own) => {
  await set(name, value);
  sql = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
  const shown = async (on: Queryable) => (await on.unsafe<{ setting: string }[]>(`show ${name}`).values())[0];
  expect([await shown(sql), await sql.begin(shown)]).toEqual([[own], [own]]);
});

it('appends for many concurrent callers although the database is set to serializable transactions', async () => {
  await set('default_transaction_isolation', 'serializable');
  sql = connect(parseDatabaseAddress(database.ownerUrl));
  await Promise.all(
    Array.from({ length: 20 }, () => sql.begin((transaction) => appendAdministrationAction(transaction, act, signer))),
  );
  expect(await verdictOn(sql, ACTIONS)).toEqual({ ok: true, entries: 21n, lastSequence: 21n });
});

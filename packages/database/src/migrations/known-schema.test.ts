import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { connect, type Sql, withPool } from '../client/connect.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { assertDatabaseFits, assertSchemaIsKnown, migrate } from './migrate.ts';

let database: TestDatabase;
let sql: Sql | undefined;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(() => sql?.end());
afterAll(() => database.drop());

it('a database of this product fits', async () => {
  sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1 });
  await expect(assertDatabaseFits(sql)).resolves.toBeUndefined();
});

// limits-15
it.each([140_000, 149_999])(
  'PostgreSQL of version number %i is refused, with the version that is needed',
  async (number) => {
    const path = (await database.sql<{ path: string }[]>`select current_setting('search_path') as path`)[0]?.path ?? '';
    const found = {
      encoding: 'UTF8',
      path,
      triggers: 'origin',
      server: `${number}`,
      version: Math.floor(number / 10_000),
    };
    const old = (async () => [found]) as unknown as Parameters<typeof assertDatabaseFits>[0];
    await expect(assertDatabaseFits(old)).rejects.toThrow(
      `PostgreSQL is version ${number}. Version 15 or newer is needed: move the database to one.`,
    );
  },
);

it('a connection whose settings did not reach the server is refused, with the probable cause', async () => {
  // The settings that remain with a pooler that ignores ours.
  sql = connect(parseDatabaseAddress(database.gatewayUrl), { max: 1, settings: { search_path: '"$user", public' } });
  await expect(assertSchemaIsKnown(sql)).rejects.toThrow(
    /^The settings of this connection did not reach PostgreSQL, because a .*pooler.* address of PostgreSQL itself/,
  );
});

it.each(['', ' in database DATABASE'])(
  'a role for which no trigger runs%s is refused, and the message names the fix',
  async (where) => {
    const role = `replica_${randomUUID().slice(0, 8)}`;
    const place = where.replace('DATABASE', database.sql.options.database);
    await database.sql.unsafe(`create role ${role} login password 'x' in role gateway_service`);
    await database.sql.unsafe(`alter role ${role}${place} set session_replication_role = replica`);
    const url = Object.assign(new URL(database.ownerUrl), { username: role, password: 'x' }).href;
    const fault = await withPool(parseDatabaseAddress(url), { max: 1 }, assertSchemaIsKnown).catch(String);
    expect(fault).toMatch(
      /No trigger runs for the database role replica_\w+, .* is replica: .* As a superuser: alter role /,
    );
    await database.sql.unsafe(String(fault).replace(/^.* As a superuser: /, ''));
    await withPool(parseDatabaseAddress(url), { max: 1 }, assertSchemaIsKnown);
    await database.sql.unsafe(`drop role ${role}`);
  },
);

it.each(['SQL_ASCII', 'LATIN1'])(
  'a database of the encoding %s is refused before anything is made in it',
  async (encoding) => {
    const name = `encoded_${encoding.toLowerCase()}`;
    const ownerUrl = Object.assign(new URL(database.ownerUrl), { pathname: `/${name}` }).href;
    await database.sql.unsafe(
      `create database ${name} encoding '${encoding}' locale_provider libc locale 'C' template template0`,
    );
    await expect(migrate(ownerUrl)).rejects.toThrow(
      new RegExp(
        `^The encoding of the database is ${encoding}, .* create database .* encoding 'UTF8' template template0`,
      ),
    );
    sql = connect(parseDatabaseAddress(ownerUrl), { max: 1 });
    expect([...(await sql`select tablename from pg_tables where schemaname = 'public'`)]).toEqual([]);
    await sql.end();
    await database.sql.unsafe(`drop database ${name}`);
  },
);

it('migrations make their tables in the schema public, for any schema of the owner', async () => {
  const empty = await createEmptyDatabase();
  await empty.sql`create schema gateway_owner`;
  expect([...(await empty.sql`select current_user::text as name`)]).toEqual([{ name: 'gateway_owner' }]);
  await empty.sql.unsafe(`alter database ${empty.sql.options.database} set search_path = "$user", public`);
  await migrate(empty.ownerUrl);
  const schemas = await empty.sql`select distinct schemaname as name from pg_tables where tablename = 'accounts'`;
  expect([...schemas]).toEqual([{ name: 'public' }]);
  await empty.drop();
});

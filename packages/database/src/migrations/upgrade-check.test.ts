import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, parseDatabaseAddress } from '../client/connect.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { migrationStatus } from './migrate.ts';
import { readMigrations } from './registry.ts';
import { checkUpgrade } from './upgrade-check.ts';

const known = readMigrations();
const later = (name: string, text: string) => [...known, { number: known.length + 1, name, text, digest: 'x' }];
let database: TestDatabase;
let empty: TestDatabase;
const role = `upgrades_${randomUUID().slice(0, 8)}`;
beforeAll(async () => {
  [database, empty] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  await database.sql.unsafe(
    `create role ${role} login password 'of-the-test'; grant select on schema_migrations to ${role}`,
  );
});
afterAll(async () => {
  await database.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
  await Promise.all([database.drop(), empty.drop()]);
});

describe('the check before an upgrade', () => {
  it('finds nothing to do on a current database', async () => {
    expect(await checkUpgrade(database.ownerUrl)).toEqual({
      server: expect.stringMatching(/^\d+\.\d+/),
      pending: [],
      serving: 0,
      faults: [],
    });
  });

  it('lists all migrations of an empty database, none of which breaks a program, and makes nothing', async () => {
    const { pending } = await checkUpgrade(empty.ownerUrl);
    expect(pending).toEqual(known.map(({ name }) => ({ name, breaks: [] })));
    expect(await empty.sql`select from pg_tables where schemaname = 'public'`).toHaveLength(0);
  });

  it('names the statements that would break the programs that run', async () => {
    const harmless = await checkUpgrade(database.ownerUrl, later('9998_add', 'create table added (id int);'));
    expect(harmless.pending).toEqual([{ name: '9998_add', breaks: [] }]);
    const text = 'create table added (id int); drop table plans;';
    const breaking = await checkUpgrade(database.ownerUrl, later('9999_drop', text));
    expect(breaking.pending).toEqual([{ name: '9999_drop', breaks: [expect.stringContaining('drop table plans')] }]);
    expect(await database.sql`select to_regclass('added') as added, to_regclass('plans')::text as plans`).toEqual([
      { added: null, plans: 'plans' },
    ]);
  });

  it('counts the connections of running services, and no others', async () => {
    const services = [database.gatewayUrl, database.gatewayUrl, database.consoleUrl].map((url) =>
      connect(parseDatabaseAddress(url), { max: 1 }),
    );
    await Promise.all(services.map((sql) => sql`select 1`));
    expect((await checkUpgrade(database.ownerUrl)).serving).toBe(3);
    await Promise.all(services.map((sql) => sql.end()));
  });

  it('says that the migrations need the owner of the database', async () => {
    const url = Object.assign(new URL(database.ownerUrl), { username: role, password: 'of-the-test' }).href;
    const { faults } = await checkUpgrade(url);
    expect(faults).toEqual([
      `The role ${role} does not own the database. Give the address of its owner in DATABASE_URL.`,
    ]);
  });

  it('refuses a database that a newer program migrated, or whose migrations were edited', async () => {
    await expect(checkUpgrade(database.ownerUrl, known.slice(0, -1))).rejects.toThrow(/newer than the last one/);
    const edited = known.map((one) => (one.number === 5 ? { ...one, digest: 'another' } : one));
    await expect(checkUpgrade(database.ownerUrl, edited)).rejects.toThrow('0005_ledger was applied with another text');
    await expect(migrationStatus(database.ownerUrl, edited)).rejects.toThrow('never edited');
  });

  it('fails with the cause where the database does not answer', async () => {
    const nowhere = Object.assign(new URL(database.ownerUrl), { pathname: '/not_there' }).href;
    await expect(checkUpgrade(nowhere)).rejects.toThrow('database "not_there" does not exist');
  });
});

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, type TestDatabase } from '../testing/index.ts';
import { assertSchemaIsKnown, baseline, migrate, migrationStatus, SCHEMA_VERSION } from './migrate.ts';
import { readMigrations } from './registry.ts';

const known = readMigrations();
let database: TestDatabase;
beforeEach(async () => {
  database = await createEmptyDatabase();
});
afterEach(() => database.drop());

describe('migrations', () => {
  // limits-14
  it('are numbered from 1 without a gap, and the program has the last number', () => {
    expect(known.map(({ number }) => number)).toEqual(known.map((_, index) => index + 1));
    expect(SCHEMA_VERSION).toBe(known.length);
  });

  it('are applied once and listed', async () => {
    expect((await migrationStatus(database.ownerUrl)).every(({ state }) => state === 'pending')).toBe(true);
    expect((await migrate(database.ownerUrl)).map(({ number }) => number)).toEqual(known.map(({ number }) => number));
    expect(await migrate(database.ownerUrl)).toEqual([]);
    expect((await migrationStatus(database.ownerUrl)).every(({ state }) => state === 'applied')).toBe(true);
    await assertSchemaIsKnown(database.sql);
  });

  it('succeed when several run concurrently', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.ownerUrl)));
    expect(
      runs
        .flat()
        .map(({ number }) => number)
        .sort((a, b) => a - b),
    ).toEqual(known.map(({ number }) => number));
  });

  it('leave nothing of one that fails', async () => {
    const broken = [
      ...known,
      { number: known.length + 1, name: '9999_broken', text: 'create table half (); boom', digest: 'x' },
    ];
    await expect(migrate(database.ownerUrl, broken)).rejects.toThrow(
      /^Migration 9999_broken failed, and nothing of it was applied: syntax error at or near "boom"/,
    );
    expect(await database.sql`select to_regclass('half') as half`).toEqual([{ half: null }]);
    expect(await migrate(database.ownerUrl)).toEqual([]);
  });

  it('wait for statements that lock their table, and let others pass in between', async () => {
    await migrate(database.ownerUrl);
    const text = 'alter table accounts add column planted text';
    const more = [...known, { number: known.length + 1, name: '9999_planted', text, digest: 'x' }];
    const holder = await database.sql.reserve();
    await holder`begin`;
    await holder`select from accounts`;
    const migrating = migrate(database.ownerUrl, more);
    await expect
      .poll(() => database.sql`select from pg_locks where relation = 'accounts'::regclass and not granted`)
      .toHaveLength(1);
    // It is after the migration in the table's lock queue, while the first statement still has the lock.
    expect(await database.sql`select count(*)::integer as rows from accounts`).toEqual([{ rows: 0 }]);
    await holder`commit`;
    holder.release();
    expect((await migrating).map(({ name }) => name)).toEqual(['9999_planted']);
  });

  it('refuse an edited migration', async () => {
    await migrate(database.ownerUrl);
    const edited = known.map((one) => (one.number === 3 ? { ...one, digest: 'another' } : one));
    await expect(migrate(database.ownerUrl, edited)).rejects.toThrow(/0003_revocations was applied with another text/);
  });

  it('refuse a registry that lost an entry, and run nothing a second time', async () => {
    await migrate(database.ownerUrl);
    const [lost] = await database.sql`delete from schema_migrations where number = 10 returning name`;
    expect(lost).toEqual({ name: known[9]?.name });
    const sentence = /holds migration 11 and not migration 10/;
    await expect(migrate(database.ownerUrl)).rejects.toThrow(sentence);
    await expect(migrationStatus(database.ownerUrl)).rejects.toThrow(sentence);
  });

  it('refuse a database newer than the program, and one older', async () => {
    await expect(assertSchemaIsKnown(database.sql)).rejects.toThrow(/gatewayctl migrate/);
    await migrate(database.ownerUrl, known.slice(0, -1));
    await expect(assertSchemaIsKnown(database.sql)).rejects.toThrow(/gatewayctl migrate/);
    await migrate(database.ownerUrl);
    await expect(migrate(database.ownerUrl, known.slice(0, -1))).rejects.toThrow(/newer/);
    await expect(migrationStatus(database.ownerUrl, known.slice(0, -1))).rejects.toThrow(/newer/);
    await database.sql`insert into schema_migrations (number, name, digest) values (${known.length + 1}, 'later', 'x')`;
    await expect(assertSchemaIsKnown(database.sql)).rejects.toThrow(/newer/);
  });
});

describe('a baseline', () => {
  it('is required, and nothing is applied, where the registry of a schema is lost', async () => {
    await migrate(database.ownerUrl);
    await database.sql`drop table schema_migrations`;
    await expect(migrate(database.ownerUrl)).rejects.toThrow(/no registry .*gatewayctl migrate --baseline \d+$/);
    await baseline(database.ownerUrl, known.length);
    expect(await migrate(database.ownerUrl)).toEqual([]);
  });

  it('records every migration without running one, once, with the last number alone', async () => {
    await expect(baseline(database.ownerUrl, known.length)).rejects.toThrow(/no schema/);
    await migrate(database.ownerUrl);
    await expect(baseline(database.ownerUrl, known.length)).rejects.toThrow(/already has entries/);
    await database.sql`drop table schema_migrations`;
    await expect(baseline(database.ownerUrl, known.length - 1)).rejects.toThrow(/last migration/);
    await baseline(database.ownerUrl, known.length);
    expect((await migrationStatus(database.ownerUrl)).every(({ state }) => state === 'baseline')).toBe(true);
    expect(await migrate(database.ownerUrl)).toEqual([]);
  });
});

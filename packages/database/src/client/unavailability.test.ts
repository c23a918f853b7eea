import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { violationOf } from './conditions.ts';
import { connect, parseDatabaseAddress, withPool } from './connect.ts';
import { DatabaseUnavailable, isUnavailability } from './unavailable.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.sql`create table ruled (id int primary key, n int constraint positive check (n > 0), other int references ruled)`;
  await database.sql`insert into ruled values (1, 1)`;
});
afterAll(() => database.drop());

/** What a statement fails with, in a transaction of its own. */
const failure = (statement: string, before = ''): Promise<unknown> =>
  database.sql
    .begin(async (sql) => {
      if (before) await sql.unsafe(before);
      await sql.unsafe(statement);
    })
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe('the database is unavailable', () => {
  it.each([
    ['where it became read-only', 'insert into ruled values (2, 1)', 'set transaction read only'],
    ['where a statement took too long', 'select pg_sleep(600)', 'set local statement_timeout = 5'],
    ['where an administrator cancelled the statement', 'select pg_cancel_backend(pg_backend_pid()), pg_sleep(600)', ''],
    ['where an administrator ended the session', 'select pg_terminate_backend(pg_backend_pid()), pg_sleep(600)', ''],
  ])('%s', async (_, statement, before) => {
    expect(isUnavailability(await failure(statement, before))).toBe(true);
  });

  it('where a lock is not given in time', async () => {
    const { sql } = database;
    const waited = await sql.begin(async (holder) => {
      await holder`lock table ruled in access exclusive mode`;
      return { error: await failure('select from ruled', 'set local lock_timeout = 5') };
    });
    expect(isUnavailability(waited.error)).toBe(true);
  });

  it.each([
    ['nothing listens', 'postgres://a:b@127.0.0.1:1/d'],
    ['no host has that name', 'postgres://a:b@no-such-host.invalid/d'],
    ['there is no socket', 'postgres://a@%2Fnowhere/d'],
  ])('where %s', async (_, url) => {
    const address = { ...parseDatabaseAddress(url), tls: null };
    const error = await withPool(address, { max: 1 }, (sql) => sql`select 1`).catch((reason: unknown) => reason);
    expect(isUnavailability(error)).toBe(true);
  });

  it('where the password is wrong, or the database is not there: no statement was wrong', async () => {
    const address = parseDatabaseAddress(database.consoleUrl);
    for (const wrong of [{ password: 'wrong' }, { database: 'not_there' }]) {
      const error = await withPool({ ...address, ...wrong }, { max: 1 }, (sql) => sql`select 1`).catch(
        (one: unknown) => one,
      );
      expect(isUnavailability(error)).toBe(true);
    }
  });

  it('where the pool has ended', async () => {
    const sql = connect(parseDatabaseAddress(database.consoleUrl), { max: 1 });
    await sql.end();
    expect(isUnavailability(await sql`select 1`.catch((error: unknown) => error))).toBe(true);
  });
});

describe('the statement was wrong', () => {
  it.each([
    ['a syntax error', 'select from from'],
    ['a table that is not there', 'select from not_there'],
    ['a privilege that is missing', 'set local role console_service; delete from administration_actions'],
    ['a value that is no number', "select 'x'::int"],
    ['a name that is in use', 'insert into ruled values (1, 1)'],
  ])('with %s', async (_, statement) => {
    expect(isUnavailability(await failure(statement))).toBe(false);
  });

  it('and no error of a program is an unavailability', () => {
    expect([new TypeError('x'), 'text', null, undefined, { code: 'ENOENT' }].map(isUnavailability)).toEqual(
      Array(5).fill(false),
    );
    expect(isUnavailability(new DatabaseUnavailable('x'))).toBe(true);
  });
});

describe('a violated rule', () => {
  it.each([
    ['insert into ruled values (1, 1)', { kind: 'taken', constraint: 'ruled_pkey' }],
    ['insert into ruled values (2, 0)', { kind: 'check', constraint: 'positive' }],
    ['insert into ruled values (2, 1, 9)', { kind: 'reference', constraint: 'ruled_other_fkey' }],
    ['insert into ruled values (2, 99999999999)', undefined],
    ['insert into ruled values (null, 1)', undefined],
  ])('is named: %s', async (statement, violation) => {
    expect(violationOf(await failure(statement))).toEqual(violation);
  });

  it('is none of another error', () => {
    expect([new Error('23505'), { code: '23505' }, null].map(violationOf)).toEqual([undefined, undefined, undefined]);
  });
});

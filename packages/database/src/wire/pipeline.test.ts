import { hash } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/address.ts';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import type { WireConnection } from './connection.ts';
import { connection, createWireLink, execute, query, type WireLink } from './link.ts';
import type { Parameter } from './request-buffer.ts';

let database: TestDatabase;
let link: WireLink;
let on: WireConnection;
beforeAll(async () => {
  database = await createTestDatabase();
  link = createWireLink({
    address: parseDatabaseAddress(database.ownerUrl),
    applicationName: 'test of pipelines',
    budgetMs: 60_000,
  });
});
afterAll(async () => {
  link.cut();
  await database.drop();
});
beforeEach(async () => {
  on = await connection(link, performance.now() + 60_000);
});

const ask = (text: string, ...parameters: Parameter[]) => execute(on, text, parameters, performance.now() + 60_000);
const run = (text: string) => query(on, text, performance.now() + 60_000);
const outcomes = async (...asked: readonly Promise<{ readonly rows: readonly unknown[] }>[]) =>
  (await Promise.allSettled(asked)).map((one) =>
    one.status === 'fulfilled' ? one.value.rows : (one.reason as { code?: string }).code,
  );

describe('requests that are sent together', () => {
  it('fail one by one: those behind a refused one are answered', async () => {
    const all = await outcomes(
      ask('select 1'),
      ask('select 1 / $1::int', 0),
      ask('select 2'),
      ask('select from nowhere'),
      run('select 3; select 1 / 0'),
      ask('select 4'),
    );
    expect(all).toEqual([[['1']], '22012', [['2']], '42P01', '22012', [['4']]]);
  });

  it('with one new statement twice, which the server refuses, are both refused, and the next one is served', async () => {
    const text = 'select not_there';
    expect(await outcomes(ask(text), ask(text), ask('select 5'))).toEqual(['42703', '26000', [['5']]]);
    expect(await outcomes(ask(text))).toEqual(['42703']);
  });

  it('are each a transaction of their own, unless they begin one', async () => {
    await run('create temporary table one_by_one (n int primary key)');
    const insert = 'insert into one_by_one values ($1)';
    const all = await Promise.allSettled([ask(insert, 1), ask(insert, 1), ask(insert, 2)]);
    expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((await ask('select array_agg(n order by n)::text from one_by_one')).rows).toEqual([['{1,2}']]);
    const together = await Promise.allSettled([
      run('begin'),
      ask(insert, 3),
      ask(insert, 3),
      ask(insert, 4),
      run('commit'),
    ]);
    expect(together.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(together[4]).toMatchObject({ value: { command: 'ROLLBACK' } });
    expect((await ask('select count(*) from one_by_one')).rows).toEqual([['2']]);
  });

  it('of statements without parameters are one transaction: a failure undoes those before it', async () => {
    await run('create temporary table undone (n int)');
    await expect(
      run('insert into undone values (1); select 1 / 0; insert into undone values (2)'),
    ).rejects.toMatchObject({
      code: '22012',
    });
    expect((await run('select count(*) from undone')).rows).toEqual([['0']]);
  });

  it('are answered in their order, by the thousand', async () => {
    const numbers = Array.from({ length: 2000 }, (_, index) => index);
    const all = await Promise.all(numbers.map((n) => ask('select $1::int', n)));
    expect(all.map(({ rows }) => Number(rows[0]?.[0]))).toEqual(numbers);
  });
});

describe('values', () => {
  it('come back as they were sent, whatever they contain', async () => {
    const text = fc.string({ unit: 'binary' }).map((one) => one.replace(/[\0\ud800-\udfff]/g, ''));
    const bytes = fc.uint8Array({ maxLength: 300 }).map((one) => Buffer.from(one));
    const values = fc.tuple(fc.option(text), fc.option(bytes), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }));
    await fc.assert(
      fc.asyncProperty(values, async ([word, data, number]) => {
        const { rows } = await ask("select $1::text, encode($2::bytea, 'hex'), $3::bigint", word, data, number);
        expect(rows).toEqual([[word, data && data.toString('hex'), String(number)]]);
      }),
      { numRuns: 60 },
    );
  });

  it('of many megabytes pass in both directions', async () => {
    const large = 'ü"\\{}'.repeat(1_000_000);
    const { rows } = await ask('select $1::text, $1::text', large);
    // Compared by digests: an expectation on many bytes is slow.
    const digests = rows[0]?.map((value) => hash('sha256', value ?? ''));
    expect(digests).toEqual([hash('sha256', large), hash('sha256', large)]);
  });

  it('that no text of the database can hold are refused, and the connection stays', async () => {
    const number = on.number;
    await expect(ask('select $1::text', 'a\0b')).rejects.toMatchObject({ code: '22021' });
    await expect(ask('select $1::int', 2n ** 31n)).rejects.toMatchObject({ code: '22003' });
    expect((await ask('select $1::text', 'after')).rows).toEqual([['after']]);
    expect(on.number).toBe(number);
  });

  it('have the same form whatever the owner of the database prefers', async () => {
    const [name] = (await run('select current_database()')).rows[0] ?? [];
    await database.sql.unsafe(`
      alter database ${name} set timezone = 'Asia/Tokyo'; alter database ${name} set datestyle = 'German';
      alter database ${name} set bytea_output = 'escape'; alter database ${name} set extra_float_digits = -15;
      alter database ${name} set standard_conforming_strings = off; alter database ${name} set synchronous_commit = off`);
    link.cut();
    on = await connection(link, performance.now() + 60_000);
    const { rows } = await run(
      "select timestamptz '2026-01-02 03:04:05.678Z', date '2026-03-04', '\\x00ff'::bytea, 0.1::float8 + 0.2::float8, '\\n', current_setting('synchronous_commit')",
    );
    expect(rows).toEqual([['2026-01-02 03:04:05.678+00', '2026-03-04', '\\x00ff', '0.30000000000000004', '\\n', 'on']]);
  });
});

describe('a connection', () => {
  it('ignores notices and notifications, between requests and within them', async () => {
    await run('listen something');
    await run("do $$ begin for n in 1..200 loop raise notice 'number %', n; end loop; end $$");
    await database.sql`select pg_notify('something', ${'x'.repeat(7000)})`;
    expect((await ask('select 6')).rows).toEqual([['6']]);
    await run('unlisten something');
  });

  it('prepares a statement again where a change of its table made the old one unusable', async () => {
    await run('create temporary table changing (a int); insert into changing values (1)');
    expect((await ask('select * from changing')).rows).toEqual([['1']]);
    await run('alter table changing add b text');
    await expect(ask('select * from changing')).rejects.toMatchObject({ code: '0A000' });
    expect((await ask('select * from changing')).rows).toEqual([['1', null]]);
  });

  it('is given up where the server begins a transfer that was not meant, and the next one serves', async () => {
    const number = on.number;
    await expect(run('copy (select 1) to stdout')).rejects.toThrow('does not belong to an answer');
    expect(on.isUsable).toBe(false);
    on = await connection(link, performance.now() + 60_000);
    expect(on.number).toBeGreaterThan(number);
    expect((await ask('select 7')).rows).toEqual([['7']]);
  });

  it('tells a statement that the server cancelled from a lost one', async () => {
    const [[pid] = []] = (await run('select pg_backend_pid()')).rows;
    const asleep = ask('select pg_sleep(600)');
    asleep.catch(() => {});
    await expect
      .poll(
        async () => database.sql`
        select from pg_stat_activity where pid = ${Number(pid)} and state = 'active' and wait_event = 'PgSleep'`,
      )
      .toHaveLength(1);
    await database.sql`select pg_cancel_backend(${Number(pid)})`;
    await expect(asleep).rejects.toMatchObject({ name: 'ServerError', code: '57014' });
    expect((await ask('select 8')).rows).toEqual([['8']]);
  });
});

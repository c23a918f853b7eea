import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, startFaultProxy, type TestDatabase } from '../testing/index.ts';
import { type DatabaseAddress, parseDatabaseAddress } from './address.ts';
import { connect, type Queryable, type Sql } from './connect.ts';
import { createLink } from './link.ts';

let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  await database.sql`create table kept (what text primary key)`;
  sql = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const keep = (on: Queryable, what: string) => on`insert into kept values (${what})`;
const kept = async () =>
  (await database.sql<{ what: string }[]>`select what from kept order by 1`).map(({ what }) => what);

async function end(transaction: Queryable): Promise<void> {
  const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await database.sql`select pg_terminate_backend(${own?.pid ?? 0}, 60000)`;
}

describe('a transaction', () => {
  it('is there whole, or not at all', async () => {
    expect(await sql.begin(async (transaction) => (await keep(transaction, 'one')).count)).toBe(1);
    const failed = sql.begin(async (transaction) => {
      await keep(transaction, 'two');
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    await expect(sql.begin((transaction) => keep(transaction, 'one'))).rejects.toMatchObject({ code: '23505' });
    expect(await kept()).toEqual(['one']);
  });

  it('that the server rolls back at its end is not called done', async () => {
    const swallowed = sql.begin(async (transaction) => {
      await keep(transaction, 'one');
      await transaction`select 1 / 0`.catch(() => {});
    });
    await expect(swallowed).rejects.toThrow('the server rolled the transaction back');
    expect(await kept()).toEqual([]);
  });

  it('waits for its turn where as many run as may', async () => {
    const names = Array.from({ length: 20 }, (_, index) => String(index).padStart(2, '0'));
    await Promise.all(names.map((name) => sql.begin((transaction) => keep(transaction, name))));
    expect(await kept()).toEqual(names);
  });

  it('is awaited by the end of the pool, and none begins after it', async () => {
    const begun = Promise.withResolvers<void>();
    const running = sql.begin(async (transaction) => {
      begun.resolve();
      await transaction`select pg_sleep(0.1)`;
      await keep(transaction, 'one');
    });
    await begun.promise;
    await sql.end({ timeout: 60 });
    await running;
    expect(await kept()).toEqual(['one']);
    await expect(sql.begin((transaction) => keep(transaction, 'two'))).rejects.toThrow('closed');
  });
});

describe('a transaction whose connection ends', () => {
  it('while a statement runs is refused, and the next one is served', async () => {
    const held = await database.sql.reserve();
    await held.unsafe('begin; lock table kept in access exclusive mode');
    const started = Promise.withResolvers<number>();
    const lost = sql.begin(async (transaction) => {
      const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      started.resolve(own?.pid ?? 0);
      await keep(transaction, 'lost');
    });
    const outcome = lost.then(
      () => 'done',
      () => 'refused',
    );
    await held`select pg_terminate_backend(${await started.promise}, 60000)`;
    expect(await outcome).toBe('refused');
    await held.unsafe('rollback');
    held.release();
    await sql.begin((transaction) => keep(transaction, 'next'));
    await keep(sql, 'beside');
    expect(await kept()).toEqual(['beside', 'next']);
  });

  it('between two statements does nothing more, alone or in another transaction', async () => {
    const goOn = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const late = Promise.withResolvers<unknown>();
    const lost = sql.begin(async (transaction) => {
      await end(transaction);
      ended.resolve();
      await goOn.promise;
      late.resolve(await keep(transaction, 'late').catch((error: unknown) => error));
    });
    await expect(lost).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    await ended.promise;
    await sql.begin(async (transaction) => {
      await keep(transaction, 'next');
      goOn.resolve();
      expect(await late.promise).toBeInstanceOf(Error);
    });
    expect(await kept()).toEqual(['next']);
  });

  it('while it is idle does not affect the next', async () => {
    await sql.begin(end).catch(() => {});
    const { pid } = await sql.begin(async (transaction) => {
      const [own] = await transaction<{ pid: number }[]>`select pg_backend_pid() as pid`;
      return own ?? { pid: 0 };
    });
    await database.sql`select pg_terminate_backend(${pid}, 60000)`;
    await expect
      .poll(() =>
        sql
          .begin((transaction) => keep(transaction, 'next'))
          .then(
            () => 'served',
            () => 'refused',
          ),
      )
      .toBe('served');
    expect(await kept()).toEqual(['next']);
  });

  type Begin = (work: (transaction: Queryable) => Promise<unknown>) => Promise<unknown>;
  it.each<[string, (address: DatabaseAddress) => { begin: Begin; end: () => unknown }]>([
    [
      'of a pool',
      (address) => {
        const pool = connect(address, { max: 1 });
        return { begin: (work) => pool.begin(work), end: () => pool.end({ timeout: 1 }) };
      },
    ],
    [
      'of a link',
      (address) => {
        const link = createLink({ address, applicationName: 'test', budgetMs: 5000 });
        return { begin: (work) => link.run(performance.now() + 5000, (one) => one.begin(work)), end: () => link.cut() };
      },
    ],
  ])('%s, at any byte of a reply, never ends the process, and leaves nothing half done', async (_, open) => {
    const proxy = await startFaultProxy(database.ownerUrl);
    const through = open(parseDatabaseAddress(proxy.through(database.ownerUrl)));
    const change = (name: string) =>
      through.begin(async (transaction) => {
        await keep(transaction, `${name} a`);
        await keep(transaction, `${name} b`);
      });
    await change('warm');
    proxy.cutAfter(1_000_000);
    await change('measured');
    const whole = proxy.replied();
    const outcomes: string[] = [];
    for (let bytes = 0; bytes <= whole; bytes += 7) {
      proxy.cutAfter(bytes);
      outcomes.push(
        await change(`cut ${bytes}`).then(
          () => 'done',
          () => 'refused',
        ),
      );
      proxy.cutAfter(null);
      await expect
        .poll(() =>
          change(`after ${bytes}`).then(
            () => true,
            () => false,
          ),
        )
        .toBe(true);
    }
    expect(outcomes).toContain('refused');
    await through.end();
    await proxy.close();
    const halves = new Map<string, number>();
    for (const what of await kept()) halves.set(what.slice(0, -2), (halves.get(what.slice(0, -2)) ?? 0) + 1);
    expect([...halves].filter(([, count]) => count !== 2)).toEqual([]);
  });
});

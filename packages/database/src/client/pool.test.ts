import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, connect as openTcp, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestDatabase, startFaultProxy, type TestDatabase } from '../testing/index.ts';
import { parseDatabaseAddress } from './address.ts';
import { connect, type Sql } from './connect.ts';

// One test makes a connection for every fifth byte of a reply.
vi.setConfig({ testTimeout: 120_000 });

let database: TestDatabase;
let sql: Sql;
beforeEach(async () => {
  database = await createTestDatabase();
  sql = connect(parseDatabaseAddress(database.ownerUrl), { max: 2, applicationName: 'asked' });
});
afterEach(async () => {
  await sql.end({ timeout: 1 });
  await database.drop();
});

const ask = (on: Sql) =>
  on`select 1`.then(
    () => 'answered',
    (error: unknown) => String((error as { code?: unknown }).code ?? error),
  );

describe('queries', () => {
  it('wait for their turn beyond the limit, and are all answered', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => index);
    const answers = numbers.map(async (number) => (await sql`select ${number}::int as number`)[0]?.['number']);
    expect(await Promise.all(answers)).toEqual(numbers);
    const [open] = await database.sql`
      select count(*)::int as many from pg_stat_activity where application_name = 'asked' and datname = current_database()`;
    expect(open).toEqual({ many: 2 });
  });

  it('that are wrong are refused separately, and block no connection', async () => {
    for (let round = 0; round < 5; round += 1) await expect(sql`select 1 / 0`).rejects.toMatchObject({ code: '22012' });
    for (let round = 0; round < 5; round += 1) {
      await expect(sql`select ${undefined as never}`).rejects.toMatchObject({ code: 'UNDEFINED_VALUE' });
    }
    expect(await ask(sql)).toBe('answered');
  });

  it('may be made of parts, and start only when they are awaited', async () => {
    await sql`create table kept (what text, many int)`;
    const unasked = sql`insert into kept values ('never', 0)`;
    const row = { what: 'one', many: 1 };
    await sql`insert into kept ${sql(row)}`;
    const chosen = sql`${sql('what')} in ${sql(['one', 'never'])} and ${sql`many = ${1}`}`;
    expect([...(await sql`select * from kept where ${chosen}`)]).toEqual([row]);
    expect((await sql.unsafe('select what from kept where many = $1', [1]).values())[0]).toEqual(['one']);
    expect(unasked).toBeInstanceOf(Promise);
  });

  it('run once, even if they are awaited repeatedly, in any way', async () => {
    await sql`create sequence asked`;
    const next = sql<{ n: string }[]>`select nextval('asked')::text as n`;
    const both = await Promise.all([next, next.then((rows) => [...rows])]);
    expect([...both, await next.finally(() => {})].map((rows) => rows[0]?.n)).toEqual(['1', '1', '1']);
    expect(await sql`select 1 / 0`.catch(({ code }) => code)).toBe('22012');
    const unawaited = sql`select nextval('asked')`.execute();
    expect(unawaited).toBeInstanceOf(Promise);
    await expect.poll(async () => (await sql`select last_value::text as n from asked`)[0]).toEqual({ n: '2' });
  });

  it('give their rows in other forms, and what they are made of', async () => {
    expect([...(await sql`select ${1}::int, 'two'`.values())]).toEqual([[1, 'two']]);
    expect((await sql`select 'raw' as word`.raw())[0]).toEqual([Buffer.from('raw')]);
    expect((await sql`select 1; select 2 as two`.simple())[1]).toEqual([{ two: 2 }]);
    expect((await sql`select ${'x'}::text as word`.describe()).columns.map(({ name }) => name)).toEqual(['word']);
    const unread = sql`select 1`;
    for (const method of ['readable', 'writable', 'cancel'] as const)
      expect(() => unread[method]()).toThrow('reserved');
    expect(() => unread.forEach(() => {})).toThrow('reserved');
  });

  it('that are read batch by batch need a connection that was reserved', async () => {
    const read = async (on: Sql) => {
      const sizes = [];
      for await (const batch of on`select generate_series(1, 5)`.cursor(2)) sizes.push(batch.length);
      return sizes;
    };
    await expect(read(sql)).rejects.toThrow('reserved');
    const held = await sql.reserve();
    expect(await read(held as unknown as Sql)).toEqual([2, 2, 1]);
    held.release();
    expect(await ask(sql)).toBe('answered');
  });

  it('are refused once the pool has ended', async () => {
    await sql.end({ timeout: 1 });
    expect(await ask(sql)).toMatch(/closed/);
  });
});

describe('a database that was unavailable', () => {
  it('is reached again, after any number of failed requests', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'away-'));
    const real = parseDatabaseAddress(database.ownerUrl);
    const through = connect({ ...real, host: folder, tls: null }, { max: 2 });
    const listening = (): Promise<Server> => {
      const server = createServer((client) => {
        const upstream = openTcp(real.port, real.host);
        client.pipe(upstream).pipe(client);
        for (const socket of [client, upstream]) socket.on('error', () => client.destroy() && upstream.destroy());
      });
      return new Promise((resolve) => server.listen(join(folder, `.s.PGSQL.${real.port}`), () => resolve(server)));
    };
    for (let round = 0; round < 10; round += 1) {
      expect([await ask(through), await through.begin(async () => {}).catch(({ code }) => code)]).toEqual([
        'ENOENT',
        'ENOENT',
      ]);
    }
    const server = await listening();
    expect(await ask(through)).toBe('answered');
    await through.begin(ask as never);
    await through.end({ timeout: 1 });
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('is reached again where a proxy accepted the connections and closed them', async () => {
    const proxy = await startFaultProxy(database.ownerUrl);
    const through = connect(parseDatabaseAddress(proxy.through(database.ownerUrl)), { max: 2 });
    proxy.leadTo('postgres://127.0.0.1:1/nobody');
    for (let round = 0; round < 10; round += 1) expect(await ask(through)).not.toBe('answered');
    proxy.leadTo(database.ownerUrl);
    expect(await ask(through)).toBe('answered');
    await through.end({ timeout: 1 });
    await proxy.close();
  });

  it('refuses at any byte of a reply what it does not answer, and answers the next', async () => {
    const proxy = await startFaultProxy(database.ownerUrl);
    const through = () => connect(parseDatabaseAddress(proxy.through(database.ownerUrl)), { max: 1 });
    proxy.cutAfter(1_000_000);
    const measured = through();
    await ask(measured);
    const whole = proxy.replied();
    await measured.end({ timeout: 1 });
    const outcomes = new Set<string>();
    for (let bytes = 0; bytes < whole; bytes += 5) {
      const cut = through();
      proxy.cutAfter(bytes);
      outcomes.add((await ask(cut)) === 'answered' ? 'answered' : 'refused');
      proxy.cutAfter(null);
      await expect.poll(() => ask(cut)).toBe('answered');
      await cut.end({ timeout: 1 });
    }
    expect(outcomes).toContain('refused');
    await proxy.close();
  });

  it('leaves no query without an answer while its connections are ended again and again', async () => {
    const outcomes: string[] = [];
    const done = new AbortController();
    const askers = Array.from({ length: 8 }, async () => {
      while (!done.signal.aborted) outcomes.push(await ask(sql));
    });
    for (let round = 0; round < 20; round += 1) {
      await database.sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where application_name = 'asked' and datname = current_database()`;
    }
    done.abort();
    await Promise.all(askers); // none waits for ever
    expect(outcomes.filter((outcome) => !/answered|57P01|ECONNRESET|EPIPE|lost|CONNECTION_/.test(outcome))).toEqual([]);
    expect(await ask(sql)).toBe('answered');
  });
});

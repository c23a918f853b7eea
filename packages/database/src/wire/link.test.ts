import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseAddress, parseDatabaseAddress } from '../client/address.ts';
import { DatabaseUnavailable } from '../client/unavailable.ts';
import { createTestDatabase, startFaultProxy, type TestDatabase } from '../testing/index.ts';
import { connection, createWireLink, execute, query, type WireLink } from './link.ts';

let database: TestDatabase;
const opened: { close(): void }[] = [];
const within = (milliseconds: number): number => performance.now() + milliseconds;

function open(address: DatabaseAddress = parseDatabaseAddress(database.gatewayUrl), budgetMs = 5000): WireLink {
  const link = createWireLink({ address, applicationName: 'test of the wire', budgetMs });
  opened.push({ close: () => link.cut() });
  return link;
}

/** A server that answers the first bytes of each connection with these, and then stays silent. */
async function answering(reply: Buffer, budgetMs?: number, onConnection = () => {}): Promise<WireLink> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    onConnection();
    socket.on('error', () => {}).once('data', () => socket.write(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return open(parseDatabaseAddress(`postgres://somebody:secret@127.0.0.1:${port}/nowhere`), budgetMs);
}

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const one of opened) one.close();
  await database.drop();
});

describe('a link', () => {
  it('gives rows as texts, and nulls', async () => {
    const on = await connection(open(), within(5000));
    const text = "select $1::text, null, $2::int + 1, 'ü'::text, $3::bytea, $4::bigint";
    const { rows, command } = await execute(
      on,
      text,
      ['a\u{1F600}', 41, Buffer.from([0, 255]), 2n ** 60n],
      within(5000),
    );
    expect(rows).toEqual([['a\u{1F600}', null, '42', 'ü', '\\x00ff', String(2n ** 60n)]]);
    expect(command).toBe('SELECT 1');
  });

  it('answers requests in their order that were sent before any answer', async () => {
    const on = await connection(open(), within(5000));
    const asked = Array.from({ length: 50 }, (_, index) => execute(on, 'select $1::int', [index], within(5000)));
    const all = await Promise.all(asked);
    expect(all.map(({ rows }) => rows[0]?.[0])).toEqual(Array.from({ length: 50 }, (_, index) => String(index)));
  });

  it('continues after a refused statement, for its text or its data', async () => {
    const on = await connection(open(), within(5000));
    await expect(execute(on, 'select nothing', [], within(5000))).rejects.toMatchObject({ code: '42703' });
    await expect(execute(on, 'select nothing', [], within(5000))).rejects.toMatchObject({ code: '42703' });
    for (const value of ['x', 'y'])
      await expect(execute(on, 'select $1::int', [value], within(5000))).rejects.toMatchObject({ code: '22P02' });
    expect((await execute(on, 'select $1::int', ['7'], within(5000))).rows).toEqual([['7']]);
  });

  it('prepares a statement again that the server has dropped', async () => {
    const on = await connection(open(), within(5000));
    await execute(on, 'select 1', [], within(5000));
    await query(on, 'deallocate all', within(5000));
    await expect(execute(on, 'select 1', [], within(5000))).rejects.toMatchObject({ code: '26000' });
    expect((await execute(on, 'select 1', [], within(5000))).rows).toEqual([['1']]);
  });

  it('runs several statements in one request', async () => {
    const on = await connection(open(), within(5000));
    expect((await query(on, 'begin; select 1; select 2', within(5000))).rows).toEqual([['2']]);
    expect((await query(on, 'commit', within(5000))).command).toBe('COMMIT');
  });

  it('reads rows that arrive in many pieces', async () => {
    const on = await connection(open(), within(5000));
    const text = "select n, repeat('ü', n) from generate_series(1, 2000) n";
    const { rows } = await execute(on, text, [], within(5000));
    expect(rows.map(([n, value]) => value?.length === Number(n)).every(Boolean)).toBe(true);
    expect(rows).toHaveLength(2000);
  });

  it('loses the connection with a deadline, and makes another', async () => {
    const link = open();
    const first = await connection(link, within(5000));
    const late = execute(first, 'select pg_sleep(10)', [], within(50));
    await expect(late).rejects.toThrow('did not answer within the budget');
    expect(first.isUsable).toBe(false);
    await expect(execute(first, 'select 1', [], within(5000))).rejects.toThrow(DatabaseUnavailable);
    const second = await connection(link, within(5000));
    expect(second.number).not.toBe(first.number);
    expect((await execute(second, 'select 1', [], within(5000))).rows).toEqual([['1']]);
  });

  it('loses, with the nearest deadline, everything that waits for the same connection', async () => {
    const on = await connection(open(), within(5000));
    const asked = [
      execute(on, 'select pg_sleep(10)', [], within(60_000)),
      execute(on, 'select 1', [], within(50)),
      query(on, 'select 2', within(60_000)),
    ];
    for (const { status, ...rest } of await Promise.allSettled(asked)) {
      expect([status, 'reason' in rest && rest.reason.name]).toEqual(['rejected', 'DatabaseUnavailable']);
    }
  });

  it('gives up what runs and what waits for the connection when it is cut, and serves the next', async () => {
    const link = open();
    const waiting = connection(link, within(5000));
    link.cut();
    await expect(waiting).rejects.toThrow('given up');
    const on = await connection(link, within(5000));
    const running = execute(on, 'select pg_sleep(10)', [], within(5000));
    link.cut();
    await expect(running).rejects.toThrow('given up');
    await expect(query(on, 'select 1', within(5000))).rejects.toThrow('given up');
    expect((await execute(await connection(link, within(5000)), 'select 1', [], within(5000))).rows).toEqual([['1']]);
  });

  it('leaves no statement on the server that runs for longer than its budget', async () => {
    const link = createWireLink({
      address: parseDatabaseAddress(database.gatewayUrl),
      applicationName: 'given up',
      budgetMs: 200,
    });
    const on = await connection(link, within(5000));
    const late = execute(on, 'select pg_sleep(600)', [], within(20));
    await expect(late).rejects.toThrow('did not answer within the budget');
    const left = () => database.sql`select from pg_stat_activity where application_name = 'given up'`;
    await expect.poll(async () => (await left()).length, { timeout: 30_000 }).toBe(0);
  });

  it('misses its deadline at any point where the server becomes silent, and is served by the next connection', async () => {
    const proxy = await startFaultProxy(database.gatewayUrl);
    opened.push({ close: () => void proxy.close() });
    const address = parseDatabaseAddress(proxy.through(database.gatewayUrl));
    const ask = async (link: WireLink, deadline: number) =>
      (await execute(await connection(link, deadline), 'select 1', [], deadline)).rows;
    proxy.cutAfter(null);
    await ask(open(address), within(5000));
    const whole = proxy.replied();
    for (let bytes = 0; bytes < whole; bytes += 29) {
      const link = open(address, 500); // a silent attempt is given up after a fifth of it
      proxy.silentAfter(bytes);
      await expect(ask(link, within(40))).rejects.toThrow(DatabaseUnavailable);
      proxy.cutAfter(null);
      expect(await ask(link, within(5000))).toEqual([['1']]);
      link.cut();
    }
  });

  it('makes one connection for all concurrent callers', async () => {
    const link = open();
    const all = await Promise.all([1, 2, 3].map(() => connection(link, within(5000))));
    expect(new Set(all).size).toBe(1);
  });

  it('fails everything when the server ends the session', async () => {
    const link = open();
    const on = await connection(link, within(5000));
    const [[pid] = []] = (await execute(on, 'select pg_backend_pid()', [], within(5000))).rows;
    const asleep = execute(on, 'select pg_sleep(10)', [], within(5000));
    const [failed] = await Promise.allSettled([asleep, database.sql`select pg_terminate_backend(${Number(pid)})`]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } });
    expect((await execute(await connection(link, within(5000)), 'select 1', [], within(5000))).rows).toEqual([['1']]);
  });

  it('fails with its reason where the password is wrong', async () => {
    const { user } = parseDatabaseAddress(database.gatewayUrl);
    const wrong = database.gatewayUrl.replace(/:[^:@/]+@/, ':wrong@');
    const link = open(parseDatabaseAddress(wrong));
    await expect(connection(link, within(5000))).rejects.toThrow(`password authentication failed for user "${user}"`);
  });

  it('fails at its deadline without a listener, with the cause', async () => {
    const link = open(parseDatabaseAddress('postgres://somebody@127.0.0.1:9/nowhere'));
    await expect(connection(link, within(250))).rejects.toThrow(/ECONNREFUSED/);
  });

  it('waits for a server that comes back before the deadline, and asks again what it lost', async () => {
    const proxy = await startFaultProxy(database.gatewayUrl);
    opened.push({ close: () => void proxy.close() });
    const link = open(parseDatabaseAddress(proxy.through(database.gatewayUrl)));
    const ask = (deadline: number, text = 'select 1') =>
      new Promise((resolve) => {
        link.execute(text, [], deadline, (error, [reply]) => resolve(error ?? reply?.rows));
      });
    proxy.cutAfter(null);
    expect(await ask(within(5000))).toEqual([['1']]);
    proxy.cutAfter(0);
    const [late, patient] = [ask(within(300)), ask(within(20_000))];
    expect(await late).toBeInstanceOf(DatabaseUnavailable);
    proxy.cutAfter(null);
    expect(await patient).toEqual([['1']]);
    // One that ends its server each time is given up.
    const crash = await ask(within(20_000), 'select pg_terminate_backend(pg_backend_pid()), pg_sleep(1)');
    expect(crash).toBeInstanceOf(DatabaseUnavailable);
  });

  it('refuses at once while its server has been away for two budgets', async () => {
    const link = open(parseDatabaseAddress('postgres://somebody@127.0.0.1:9/nowhere'), 50);
    await expect(connection(link, within(150))).rejects.toThrow(DatabaseUnavailable);
    await expect(connection(link, within(60_000)), 'it would time out').rejects.toThrow(DatabaseUnavailable);
  });

  it('fails at its deadline where the server is silent', async () => {
    const link = await answering(Buffer.alloc(0));
    await expect(connection(link, within(30))).rejects.toThrow('did not answer within the budget');
  });

  it('tries again and again while callers wait, however long a server was silent', async () => {
    const attempts: number[] = [];
    const budget = 50;
    const link = await answering(Buffer.alloc(0), budget, () => void attempts.push(performance.now()));
    const caller = async () => {
      while (attempts.length < 14) await Promise.allSettled([connection(link, within(budget))]);
    };
    await Promise.all([caller(), new Promise((resolve) => setTimeout(resolve, budget / 2)).then(caller)]);
    expect(attempts.length).toBeGreaterThanOrEqual(14);
  });
});

/** A message of the server with this kind. */
function message(kind: string, content: Buffer): Buffer {
  const head = Buffer.from(`${kind}....`);
  head.writeInt32BE(content.length + 4, 1);
  return Buffer.concat([head, content]);
}

describe('a server that breaks the protocol', () => {
  const auth = (kind: number, more = ''): Buffer => {
    const content = Buffer.alloc(4);
    content.writeInt32BE(kind);
    return message('R', Buffer.concat([content, Buffer.from(more)]));
  };

  it.each([
    ['asks for an unknown sign-in', auth(7), 'unsupported sign-in'],
    ['offers no SCRAM-SHA-256', auth(10, 'OAUTHBEARER\0\0'), 'offers no SCRAM-SHA-256'],
    ['continues what was not begun', auth(11, 'r=x'), 'unsupported sign-in'],
    ['sends a row before the session', message('D', Buffer.from([0, 0])), 'does not belong to a sign-in'],
    ['sends what is no message', Buffer.from('HTTP/1.1 400 Bad Request\r\n'), 'not a message'],
    [
      'answers what was not asked',
      Buffer.concat([auth(0), message('Z', Buffer.from('I')), message('C', Buffer.from('SELECT 1\0'))]),
      'not asked',
    ],
  ])('is left where it %s', async (_, reply, reason) => {
    const link = await answering(reply);
    const outcome = connection(link, within(5000)).then((on) => execute(on, 'select 1', [], within(5000)));
    await expect(outcome).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
      message: expect.stringContaining(reason),
    });
  });
});

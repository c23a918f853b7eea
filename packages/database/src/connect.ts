import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { createOwnedSocket } from './owned-socket.ts';
import { openSocket } from './socket.ts';
import { createTransactions } from './transactions.ts';

export { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from './address.ts';

/** A connection, or a pool of them, to one database. */
export type Sql = postgres.Sql<{ bigint: bigint }>;
/** What statements run on: a pool or one transaction of it. */
export type Queryable = postgres.ISql<{ bigint: bigint }>;

export interface ConnectOptions {
  /** Most connections at once. Default 4. */
  readonly max?: number;
  readonly applicationName?: string;
  /** Seconds until a connection attempt counts as failed. Default 5. */
  readonly connectSeconds?: number;
  /** Settings of the session (name → value), sent with the start of each connection. */
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

/** Where names are looked for: nowhere before the schema of the tables. */
export const OWN_SEARCH_PATH = 'public, pg_temp';

/** Options of the client for a checked address. The socket is not among them: each user brings its own way to open one. */
export function clientOptions(address: DatabaseAddress, options: ConnectOptions = {}) {
  return {
    database: address.database,
    username: address.user,
    password: address.password ?? '',
    ssl: false,
    max: options.max ?? 4,
    connect_timeout: options.connectSeconds ?? 5,
    onnotice: () => {},
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: options.applicationName ?? 'gateway',
      // How values are written as text, which the client reads in one way alone, whatever a server is set to for other programs.
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      bytea_output: 'hex',
      extra_float_digits: 1,
      // What statements mean, and that a commit that was answered is on disk.
      search_path: OWN_SEARCH_PATH,
      standard_conforming_strings: 'on',
      default_transaction_isolation: 'read committed',
      synchronous_commit: 'on',
      ...options.settings,
    },
  } satisfies postgres.Options<{ bigint: postgres.PostgresType<bigint> }>;
}

/** Transactions at once, each on a connection of its own beside those of the pool. */
const MOST_TRANSACTIONS = 4;

/**
 * A pool for a checked address. Connections are made when they are first needed. Its `begin` is ours: that of the client ends the
 * process where a connection is lost in the middle of a transaction, or goes on with its statements on the connection after it.
 */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Sql {
  const client = clientOptions(address, options);
  const timeoutMs = client.connect_timeout * 1000;
  // An option of the client that its types leave out.
  const socket = { socket: () => openSocket(address, timeoutMs) };
  const pool = postgres({ ...client, ...socket });
  const endPool = pool.end.bind(pool);
  const transactions = createTransactions({
    most: Math.min(client.max, MOST_TRANSACTIONS),
    connect(onLost) {
      const own = createOwnedSocket(address, timeoutMs, onLost);
      // max_lifetime: the client would close a connection by itself between two statements.
      const single = { max: 1, max_lifetime: null, socket: () => own.open() };
      return { sql: postgres({ ...client, ...single }), usable: () => own.usable(), cut: () => own.destroy() };
    },
  });
  return Object.assign(pool, {
    begin: transactions.begin as Sql['begin'],
    async end(how?: { timeout?: number | undefined }) {
      await Promise.all([transactions.end(how?.timeout), endPool(how)]);
    },
  });
}

/** Runs work on a pool of its own, which is closed afterwards; what still runs on it then is given a second. */
export async function withPool<Result>(
  address: DatabaseAddress,
  options: ConnectOptions,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = connect(address, options);
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

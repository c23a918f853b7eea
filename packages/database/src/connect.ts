import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { openSocket } from './socket.ts';

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
      ...options.settings,
    },
  } satisfies postgres.Options<{ bigint: postgres.PostgresType<bigint> }>;
}

/** A pool for a checked address. Connections are made when they are first needed. */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Sql {
  const client = clientOptions(address, options);
  // An option of the client that its types leave out.
  const socket = { socket: () => openSocket(address, client.connect_timeout * 1000) };
  return postgres({ ...client, ...socket });
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

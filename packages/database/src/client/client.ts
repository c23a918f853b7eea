import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { arrayLiteral, textsOf } from './array-literal.ts';
import type { OwnedSocket } from './owned-socket.ts';
import { isReadOnlyFault, readOnlyFault, type SessionSettings, sessionSettings } from './session-settings.ts';

/** Lists of texts. Told to the client, which would else ask each new server about all its types, and end the process where that fails. */
const TEXTS: postgres.PostgresType<readonly (string | null)[]> = {
  to: 1009,
  from: [1009],
  serialize: (texts: readonly (string | null)[] | string) => (typeof texts === 'string' ? texts : arrayLiteral(texts)),
  parse: textsOf,
};

type Types = { readonly bigint: bigint; readonly texts: readonly (string | null)[] };

/** A connection, or a pool of them, to one database. */
export type Sql = postgres.Sql<Types>;
/** Runs statements: a pool or one transaction of it. */
export type Queryable = postgres.ISql<Types>;

export const DEFAULT_CONNECTIONS = 4;
export const DEFAULT_CONNECT_SECONDS = 5;

export interface ConnectOptions {
  /** Maximum number of connections. Default 4. */
  readonly max?: number;
  readonly applicationName?: string;
  /** Seconds until a connection attempt counts as failed. Default 5. */
  readonly connectSeconds?: number;
  /** Settings of the session (name → value), sent with the start of each connection. */
  readonly settings?: SessionSettings;
}

/** Options of the client for a checked address. */
function clientOptions(address: DatabaseAddress, options: ConnectOptions) {
  return {
    database: address.database,
    username: address.user,
    password: address.password ?? '',
    ssl: false,
    max: options.max ?? DEFAULT_CONNECTIONS,
    connect_timeout: options.connectSeconds ?? DEFAULT_CONNECT_SECONDS,
    onnotice: () => {},
    fetch_types: false,
    types: { bigint: postgres.BigInt, texts: TEXTS },
    connection: { ...sessionSettings(options.applicationName ?? 'gateway', options.settings) },
  } satisfies postgres.Options<{ [Name in keyof Types]: postgres.PostgresType<Types[Name]> }>;
}

/** A client that makes statements, and is never connected. */
export function unconnectedClient(address: DatabaseAddress, options: ConnectOptions): Sql {
  return postgres(clientOptions(address, options));
}

/**
 * A client with one connection, on a socket of ours. It is cut where its server is a standby, or becomes read-only. A transaction on
 * it must run alone: other statements would become part of it.
 */
export function singleClient(address: DatabaseAddress, options: ConnectOptions, socket: OwnedSocket): Sql {
  const isReading = options.settings?.['default_transaction_read_only'] === 'on';
  // max_lifetime: the client would close a connection by itself between two statements. socket: its types leave it out.
  const unlisted = { max_lifetime: null, socket: () => socket.open() };
  const sql: Sql = postgres({
    ...clientOptions(address, { ...options, max: 1 }),
    onparameter(name: string, value: string) {
      const fault = readOnlyFault(name, value, isReading);
      if (fault !== null) socket.destroy(fault);
    },
    ...unlisted,
  });
  const own = { sql, usable: () => socket.usable(), cut: () => socket.destroy() };
  const begin = (work: (transaction: Queryable) => Promise<unknown>): Promise<unknown> => runTransaction(own, work);
  return Object.assign(sql, { begin: begin as Sql['begin'] });
}

/**
 * A client with one connection, without reconnection: the state of a lost connection does not exist on a new one, and after the
 * library's own reconnection statements may wait forever.
 */
export interface SingleConnection {
  readonly sql: Sql;
  usable(): boolean;
  cut(): void;
}

/**
 * Runs work in a transaction: all of it is committed, or nothing. The library's own `begin` ends the process where the connection is
 * lost meanwhile: it writes to the socket that is gone.
 * @param lost rejects when the connection is lost, so that work that waits for something else is not awaited.
 * @throws DatabaseUnavailable where the connection is lost; it may be committed where that was at the very end.
 */
export async function runTransaction<Result>(
  connection: SingleConnection,
  work: (transaction: Queryable) => Promise<Result>,
  lost: Promise<never> = new Promise(() => {}),
): Promise<Result> {
  const { sql } = connection;
  try {
    await sql.unsafe('begin');
    const result = await Promise.race([work(sql), lost]);
    const { command } = await Promise.race([sql.unsafe('commit'), lost]);
    if (command !== 'COMMIT') throw new Error('the server rolled the transaction back');
    return result;
  } catch (error) {
    if (isReadOnlyFault(error)) connection.cut();
    else if (connection.usable()) await Promise.race([sql.unsafe('rollback'), lost]).catch(() => connection.cut());
    throw error;
  }
}

import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { arrayLiteral, textsOf } from './array-literal.ts';
import type { OwnedSocket } from './owned-socket.ts';
import { readOnlyFault, type SessionSettings, sessionSettings } from './session-settings.ts';

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

/** A client with one connection, on a socket of ours. It is cut where its server is a standby, or becomes read-only. */
export function singleClient(address: DatabaseAddress, options: ConnectOptions, socket: OwnedSocket): Sql {
  const isReading = options.settings?.['default_transaction_read_only'] === 'on';
  // max_lifetime: the client would close a connection by itself between two statements. socket: its types leave it out.
  const unlisted = { max_lifetime: null, socket: () => socket.open() };
  return postgres({
    ...clientOptions(address, { ...options, max: 1 }),
    onparameter(name: string, value: string) {
      const fault = readOnlyFault(name, value, isReading);
      if (fault !== null) socket.destroy(fault);
    },
    ...unlisted,
  });
}

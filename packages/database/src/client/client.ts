import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { arrayLiteral, textsOf } from './array-literal.ts';
import { type SessionSettings, sessionSettings } from './session-settings.ts';

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

export interface ConnectOptions {
  /** Maximum number of connections. Default 4. */
  readonly max?: number;
  readonly applicationName?: string;
  /** Seconds until a connection attempt counts as failed. Default 5. */
  readonly connectSeconds?: number;
  /** Settings of the session (name → value), sent with the start of each connection. */
  readonly settings?: SessionSettings;
}

/** Options of the client for a checked address, except the socket: each user opens it in its own way. */
export function clientOptions(address: DatabaseAddress, options: ConnectOptions = {}) {
  return {
    database: address.database,
    username: address.user,
    password: address.password ?? '',
    ssl: false,
    max: options.max ?? 4,
    connect_timeout: options.connectSeconds ?? 5,
    onnotice: () => {},
    fetch_types: false,
    types: { bigint: postgres.BigInt, texts: TEXTS },
    connection: { ...sessionSettings(options.applicationName ?? 'gateway', options.settings) },
  } satisfies postgres.Options<{ [Name in keyof Types]: postgres.PostgresType<Types[Name]> }>;
}

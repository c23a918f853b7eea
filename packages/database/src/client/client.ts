import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';
import { arrayLiteral, textsOf } from './array-literal.ts';

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
/** What statements run on: a pool or one transaction of it. */
export type Queryable = postgres.ISql<Types>;

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
    fetch_types: false,
    types: { bigint: postgres.BigInt, texts: TEXTS },
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
  } satisfies postgres.Options<{ [Name in keyof Types]: postgres.PostgresType<Types[Name]> }>;
}

import { isIP } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import postgres from 'postgres';
import type { DatabaseAddress } from './address.ts';

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

/** Options of the client for a checked address; the hot path adds its own socket. */
export function clientOptions(address: DatabaseAddress, options: ConnectOptions = {}) {
  const { host, port, tls } = address;
  return {
    // As a list: the client would take an IPv6 address apart at its colons. (Its types say so for addresses alone.)
    host: [host] as unknown as string,
    port: [port] as unknown as number,
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : {}),
    database: address.database,
    username: address.user,
    password: address.password ?? '',
    ssl: tls !== null && {
      rejectUnauthorized: true,
      ...(tls.ca === undefined ? {} : { ca: tls.ca }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      // The client gives no server name for an IP address; the certificate is held against the declared host all the same.
      checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
        checkServerIdentity(host, certificate),
    },
    max: options.max ?? 4,
    connect_timeout: options.connectSeconds ?? 5,
    onnotice: () => {},
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: options.applicationName ?? 'gateway',
      TimeZone: 'UTC',
      ...options.settings,
    },
  } satisfies postgres.Options<{ bigint: postgres.PostgresType<bigint> }>;
}

/** A pool for a checked address. Connections are made when they are first needed. */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Sql {
  return postgres(clientOptions(address, options));
}

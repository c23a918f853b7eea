import type { DatabaseAddress } from './address.ts';
import {
  type ConnectOptions,
  DEFAULT_CONNECT_SECONDS,
  DEFAULT_CONNECTIONS,
  type Sql,
  singleClient,
  unconnectedClient,
} from './client.ts';
import { createConnections } from './connections.ts';
import { createOwnedSocket } from './owned-socket.ts';
import { createQueries } from './pool.ts';
import { createTransactions } from './transactions.ts';

export { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from './address.ts';
export { type ConnectOptions, type Queryable, type Sql } from './client.ts';
export { OWN_SEARCH_PATH } from './session-settings.ts';

/** Concurrent transactions, each on a connection of its own besides those of the pool. */
const MOST_TRANSACTIONS = 4;

/**
 * A pool for a checked address. Connections are made on demand. Reserve one to read a cursor. The client library's own pool would
 * wait forever for an unavailable database, and its `begin` ends the process where a connection is lost in a transaction.
 */
export function connect(address: DatabaseAddress, options: ConnectOptions = {}): Sql {
  const { max = DEFAULT_CONNECTIONS, connectSeconds = DEFAULT_CONNECT_SECONDS } = options;
  const connections = (most: number) =>
    createConnections({
      most,
      connect(onLost) {
        const own = createOwnedSocket(address, connectSeconds * 1000, onLost);
        return { sql: singleClient(address, options, own), usable: () => own.usable(), cut: () => own.destroy() };
      },
    });
  const asked = connections(max);
  const changing = connections(Math.min(max, MOST_TRANSACTIONS));
  return Object.assign(createQueries(unconnectedClient(address, options), asked), {
    begin: createTransactions(changing) as Sql['begin'],
    async end(how?: { timeout?: number | undefined }) {
      await Promise.all([asked.end(how?.timeout), changing.end(how?.timeout)]);
    },
  });
}

/** Runs work on its own pool, which is closed afterwards; unfinished statements get one more second. */
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

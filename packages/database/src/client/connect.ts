import type { PendingQuery, Row } from 'postgres';
import type { DatabaseAddress } from './address.ts';
import {
  type ConnectOptions,
  DEFAULT_CONNECT_SECONDS,
  DEFAULT_CONNECTIONS,
  type Queryable,
  runTransaction,
  type SingleConnection,
  type Sql,
  singleClient,
  unconnectedClient,
} from './client.ts';
import { createOwnedSocket } from './owned-socket.ts';
import { DatabaseUnavailable, isRefusedStatement } from './unavailable.ts';

interface ConnectionsOptions {
  /** Maximum number; further requests wait. */
  readonly most: number;
  /** @param onLost called when the connection is lost. */
  readonly connect: (onLost: () => void) => SingleConnection;
}

interface Connection extends SingleConnection {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
}

/** Connections that are made on demand and reused; a lost one is never used again. */
interface Connections {
  /** For the caller alone, until it is given back. */
  taken(): Promise<Connection>;
  giveBack(connection: Connection): void;
  /** Waits for running statements, within a bound in seconds, then closes every connection. */
  end(seconds?: number): Promise<void>;
}

const closed = (): Error => new DatabaseUnavailable('the connections to the database are closed');

function createConnections({ most, connect }: ConnectionsOptions): Connections {
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const turns: PromiseWithResolvers<Connection>[] = [];
  let ending = false;
  const gone = Promise.withResolvers<void>();

  function opened(): Connection {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {}); // no caller waits while it is idle
    const onLost = (): void => {
      reject(new DatabaseUnavailable('the connection was lost'));
      discard(connection);
    };
    const connection = { ...connect(onLost), lost };
    all.add(connection);
    return connection;
  }

  function discard(connection: Connection): void {
    all.delete(connection);
    connection.cut();
    connection.sql.end({ timeout: 0 }).catch(() => {}); // refuses what still waits on it
    if (ending && all.size === 0) gone.resolve();
  }

  return {
    async taken() {
      if (ending) throw closed();
      for (let connection = idle.pop(); connection; connection = idle.pop()) if (connection.usable()) return connection;
      if (all.size < most) return opened();
      const turn = Promise.withResolvers<Connection>();
      turns.push(turn);
      return turn.promise;
    },
    giveBack(connection) {
      const usable = connection.usable() && !ending;
      if (!usable) discard(connection);
      const turn = turns.shift();
      if (turn) turn.resolve(usable ? connection : opened());
      else if (usable) idle.push(connection);
    },
    async end(seconds) {
      ending = true;
      for (const { reject } of turns.splice(0)) reject(closed());
      for (const connection of idle.splice(0)) discard(connection);
      if (all.size === 0) return;
      const late = seconds === undefined ? undefined : setTimeout(() => all.forEach(discard), seconds * 1000);
      await gone.promise;
      clearTimeout(late);
    },
  };
}

type Statement = PendingQuery<Row[]>;

/** Methods of a statement that keep its connection for longer than one reply. */
const NEEDS_RESERVED = ['cursor', 'forEach', 'readable', 'writable', 'cancel'] as const;

/** Whether a call is a statement, and not the name or the values of one. */
function isStatement(first: unknown): boolean {
  return Array.isArray(first) && 'raw' in first;
}

function needsReserved(): never {
  throw new Error('a cursor is read on a connection that was reserved');
}

/**
 * Statements that each go to a connection of their own, and wait where none is free. The client's own pool forgets a connection that could
 * not be opened, and after so many waits for ever, also when the database is back.
 * @param client makes statements, and is never connected: what runs is made again by the client of a connection.
 */
function createQueries(client: Sql, connections: Connections): Sql {
  async function run(make: (sql: Sql) => Statement): Promise<unknown> {
    const connection = await connections.taken();
    try {
      return await make(connection.sql);
    } catch (error) {
      if (!isRefusedStatement(error)) connection.cut(); // its state is unknown
      throw error;
    } finally {
      connections.giveBack(connection);
    }
  }

  /** A statement that may be a part of another, and runs when it is awaited. */
  function pooled(make: (sql: Sql) => Statement): Statement {
    const statement = make(client);
    let running: Promise<unknown> | undefined;
    const started = () => (running ??= run(make));
    const own = {
      // biome-ignore lint/suspicious/noThenProperty: the statement is a promise, and its `then` would send it to the client that is never connected
      // oxlint-disable-next-line no-thenable
      then: (...how: Parameters<Promise<unknown>['then']>) => started().then(...how),
      catch: (...how: Parameters<Promise<unknown>['catch']>) => started().catch(...how),
      finally: (...how: Parameters<Promise<unknown>['finally']>) => started().finally(...how),
      execute() {
        started().catch(() => {}); // callers that wait for the statement receive the failure
        return statement;
      },
      values: () => pooled((sql) => make(sql).values() as unknown as Statement),
      raw: () => pooled((sql) => make(sql).raw() as unknown as Statement),
      simple: () => pooled((sql) => make(sql).simple()),
      describe: () => pooled((sql) => make(sql).describe() as unknown as Statement),
      ...Object.fromEntries(NEEDS_RESERVED.map((name) => [name, needsReserved])),
    };
    return Object.assign(statement as object, own) as unknown as Statement;
  }

  const queries = (first: never, ...rest: never[]) =>
    isStatement(first) ? pooled((sql) => sql(first, ...rest)) : client(first, ...rest);
  return Object.assign(queries as unknown as Sql, client, {
    unsafe: ((...how: Parameters<Sql['unsafe']>) => pooled((sql) => sql.unsafe(...how))) as Sql['unsafe'],
    async reserve() {
      const connection = await connections.taken();
      return Object.assign(connection.sql, { release: () => connections.giveBack(connection) });
    },
  });
}

/** Each transaction has a connection of its own. What work still does after that was lost is refused. */
function createTransactions(connections: Connections): Sql['begin'] {
  const begin = async <Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> => {
    const connection = await connections.taken();
    try {
      return await runTransaction(connection, work, connection.lost);
    } finally {
      connections.giveBack(connection);
    }
  };
  return begin as Sql['begin'];
}

export { type DatabaseAddress, DatabaseAddressFault, parseDatabaseAddress } from './address.ts';
export { type ConnectOptions, type Queryable, type Sql } from './client.ts';
export { OWN_SEARCH_PATH } from './session-settings.ts';

/** Concurrent transactions, each on a connection of its own besides those of the pool. */
const MOST_TRANSACTIONS = 4;

/**
 * A pool for a checked address. Connections are made on demand. Reserve one to read a cursor. The client library's own pool would
 * wait forever for an unavailable database.
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
    begin: createTransactions(changing),
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

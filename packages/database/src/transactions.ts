import type postgres from 'postgres';
import { DatabaseUnavailable } from './unavailable.ts';

type Client = postgres.Sql<{ bigint: bigint }>;
type Queryable = postgres.ISql<{ bigint: bigint }>;

/** A client of one connection, which is never made anew: what a lost one had promised, another does not hold. */
export interface SingleConnection {
  readonly sql: Client;
  usable(): boolean;
  cut(): void;
}

export interface TransactionsOptions {
  /** Most at once; more wait for their turn. */
  readonly most: number;
  /** @param onLost told when the connection is gone. */
  readonly connect: (onLost: () => void) => SingleConnection;
}

export interface Transactions {
  /**
   * Runs work in a transaction: all of it is committed, or nothing. What work still does after its connection was lost is refused.
   * @throws DatabaseUnavailable where the connection is lost meanwhile; it may be committed where that was at the very end.
   */
  readonly begin: <Result>(work: (transaction: Queryable) => Promise<Result>) => Promise<Result>;
  /** Lets what runs come to its end, at most so many seconds, then closes every connection. */
  end(seconds?: number): Promise<void>;
}

interface Connection extends SingleConnection {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
}

const closed = (): Error => new DatabaseUnavailable('the connections to the database are closed');

export function createTransactions({ most, connect }: TransactionsOptions): Transactions {
  const all = new Set<Connection>();
  const idle: Connection[] = [];
  const turns: (() => void)[] = [];
  let ending = false;
  const gone = Promise.withResolvers<void>();

  function opened(): Connection {
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => {}); // nobody waits while it is idle
    const connection = {
      ...connect(() => reject(new DatabaseUnavailable('the connection was lost in a transaction'))),
      lost,
    };
    all.add(connection);
    return connection;
  }

  function discard(connection: Connection): void {
    all.delete(connection);
    connection.cut();
    connection.sql.end({ timeout: 0 }).catch(() => {}); // lets the client forget what waited on it
    if (ending && all.size === 0) gone.resolve();
  }

  async function taken(): Promise<Connection> {
    for (;;) {
      if (ending) throw closed();
      const connection = idle.pop();
      if (connection?.usable()) return connection;
      if (connection) discard(connection);
      else if (all.size < most) return opened();
      else await new Promise<void>((resolve) => turns.push(resolve));
    }
  }

  function giveBack(connection: Connection): void {
    if (connection.usable() && !ending) idle.push(connection);
    else discard(connection);
    turns.shift()?.();
  }

  async function begin<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result> {
    const connection = await taken();
    const { sql, lost } = connection;
    try {
      await sql.unsafe('begin');
      const result = await Promise.race([work(sql), lost]);
      const { command } = await Promise.race([sql.unsafe('commit'), lost]);
      if (command !== 'COMMIT') throw new Error('the server rolled the transaction back');
      return result;
    } catch (error) {
      if (connection.usable()) await Promise.race([sql.unsafe('rollback'), lost]).catch(() => connection.cut());
      throw error;
    } finally {
      giveBack(connection);
    }
  }

  return {
    begin,
    async end(seconds) {
      ending = true;
      for (const wake of turns.splice(0)) wake();
      for (const connection of idle.splice(0)) discard(connection);
      if (all.size === 0) return;
      const late = seconds === undefined ? undefined : setTimeout(() => all.forEach(discard), seconds * 1000);
      await gone.promise;
      clearTimeout(late);
    },
  };
}

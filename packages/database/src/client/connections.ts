import type { Sql } from './client.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/**
 * A client with one connection, without reconnection: the state of a lost connection does not exist on a new one, and after the
 * library's own reconnection statements may wait forever.
 */
export interface SingleConnection {
  readonly sql: Sql;
  usable(): boolean;
  cut(): void;
}

export interface ConnectionsOptions {
  /** Maximum number; further requests wait. */
  readonly most: number;
  /** @param onLost called when the connection is lost. */
  readonly connect: (onLost: () => void) => SingleConnection;
}

export interface Connection extends SingleConnection {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>;
}

/** Connections that are made on demand and reused; a lost one is never used again. */
export interface Connections {
  /** For the caller alone, until it is given back. */
  taken(): Promise<Connection>;
  giveBack(connection: Connection): void;
  /** Waits for running statements, within a bound in seconds, then closes every connection. */
  end(seconds?: number): Promise<void>;
}

const closed = (): Error => new DatabaseUnavailable('the connections to the database are closed');

export function createConnections({ most, connect }: ConnectionsOptions): Connections {
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

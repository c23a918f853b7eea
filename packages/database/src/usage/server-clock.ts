/** How long a reading is used: two clocks drift apart, and a gateway may be idle for days. Milliseconds. */
const FRESH_MS = 60_000;

/** Whole milliseconds since 1970 on the server's clock, when it received the statement. */
export const STATEMENT_CLOCK = 'floor(extract(epoch from statement_timestamp()) * 1000)::float8';

/** The statement that reads it alone. */
export const READ_CLOCK = `select ${STATEMENT_CLOCK}`;

/**
 * The clock of the database server, so that a statement can carry its deadline with it: a server that was frozen executes what
 * lay in its socket when it goes on, long after nobody waits for it.
 */
export interface ServerClock {
  /** A reading that came with an answer. @param clock of the server, milliseconds since 1970 */
  read(connection: number, clock: number): void;
  /**
   * What the server's clock shows at a deadline of `performance.now()`, or a little less, never more: a reading is as old as its
   * answer was under way. Asks the server where no fresh reading of this connection is known.
   * @param ask reads it, milliseconds since 1970
   */
  at(deadline: number, connection: number, ask: () => Promise<number>): Promise<number>;
}

export function createServerClock(): ServerClock {
  let ahead = 0;
  let readOn = 0;
  let readAt = Number.NEGATIVE_INFINITY;
  function read(connection: number, clock: number): void {
    readAt = performance.now();
    readOn = connection;
    ahead = clock - readAt;
  }
  return {
    read,
    async at(deadline, connection, ask) {
      if (readOn !== connection || performance.now() - readAt > FRESH_MS) {
        read(connection, await ask());
      }
      return deadline + ahead;
    },
  };
}

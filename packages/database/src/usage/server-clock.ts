/** How long a reading is used: two clocks drift apart, and a gateway may be idle for days. Milliseconds. */
const FRESH_MS = 60_000;

/** Whole milliseconds since 1970 on the server's clock, when it received the statement. */
export const STATEMENT_CLOCK = 'floor(extract(epoch from statement_timestamp()) * 1000)::float8';

/** The statement that reads it alone. */
export const READ_CLOCK = `select ${STATEMENT_CLOCK}`;

/**
 * The clock of the database server, for a deadline inside a statement: a thawed server executes what was in its socket, long
 * after the caller has left.
 */
export interface ServerClock {
  /** A reading from an answer. @param clock of the server, milliseconds since 1970 */
  read(connection: number, clock: number): void;
  /**
   * The server's clock at a deadline of `performance.now()`, or a little less, never more: a reading's age is the time that its
   * answer took. Reads the clock where no fresh reading of this connection exists.
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

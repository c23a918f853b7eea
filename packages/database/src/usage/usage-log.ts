import { askBatcher, createBatcher } from '../client/batcher.ts';
import type { DatabaseAddress } from '../client/connect.ts';
import { ConnectionLost, DatabaseUnavailable, isDataFault, MOST_ATTEMPTS, unavailable } from '../client/unavailable.ts';
import type { WireConnection } from '../wire/connection.ts';
import { createWireLink } from '../wire/link.ts';
import { connection, execute } from '../wire/promises.ts';
import { createServerClock, READ_CLOCK } from './server-clock.ts';
import {
  INSERT_USAGE,
  INSERT_USAGE_AND_WORK,
  showsBackground,
  type UsageLine,
  usageParameters,
  usageReply,
} from './usage-statement.ts';

export interface UsageLogOptions {
  readonly address: DatabaseAddress;
  /** Milliseconds from `insert` to its answer, for calls without their own deadline. */
  readonly budgetMs: number;
  /** Maximum delay before the flush of an inserted record is requested. Default 200 ms. */
  readonly proveEveryMs?: number;
  /** Sees how many records share each statement. */
  readonly onBatch?: (size: number) => void;
}

/**
 * How far inserted records are on disk. An insert that resolved belongs to `inserted` or an earlier number; a crash of the
 * server does not lose it once `proven` has reached that number.
 */
export interface Durability {
  readonly inserted: number;
  readonly proven: number;
  /** The listener is called whenever `proven` grows. */
  onProven(listener: () => void): void;
}

export interface UsageLog {
  readonly durability: Durability;
  /**
   * Resolves once the records are in the table and counted in the month's totals.
   * @param deadline on the clock of `performance.now()`.
   * @returns the records that the server refused because of their content, with its reason; the others are written.
   * @throws DatabaseUnavailable without a timely confirmation: spool the records, since each is idempotent by its id.
   */
  insert(records: readonly UsageLine[], deadline?: number): Promise<UsageFaults>;
  /**
   * Requests the flush of inserted records, waits within a bound, and closes.
   * @returns the records that are not confirmed on disk: spool them.
   */
  close(milliseconds: number): Promise<readonly UsageLine[]>;
}

/** Records that the server refused, and why. */
export type UsageFaults = ReadonlyMap<UsageLine, Error>;

const NONE: UsageFaults = new Map();

/** Requests of one round trip. */
const LIMIT = 256;
const LOCK_TIMEOUT_MS = 2000;
const RETRY_MS = 500;
/** A server whose clock was set forward sees a passed deadline too early: its answer contains the difference. */
const ROUNDS = 2;

/** A transaction that is flushed, and with it every commit of this server before it. (It must write something: a message does.) */
const PROVE = `select set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'gateway', '')`;

/**
 * Writes usage records, many in one round trip. A record is committed without waiting for the disk, because it is on the caller's
 * path: a killed PostgreSQL may then lose the last of them. So each is kept here until a later flush on the same connection, and
 * so of the same server, has put all earlier ones on disk. If the connection is lost first, all kept records are inserted again,
 * which has no effect on existing ones (relay-30).
 *
 * Faults. Server stopped, frozen, locked, read-only: `insert` is refused at its deadline, and the record is spooled. A reply cut at
 * any byte: the records are inserted again on a new connection. Each statement contains its deadline, so that a frozen server does not write later what was
 * refused: the caller's answer states that nothing was billed.
 */
export function createUsageLog({ address, budgetMs, proveEveryMs = 200, onBatch }: UsageLogOptions): UsageLog {
  const link = createWireLink({
    address,
    applicationName: 'gateway usage log',
    budgetMs,
    settings: { synchronous_commit: 'off', lock_timeout: LOCK_TIMEOUT_MS },
    cancelsCommits: true,
  });
  /** Inserted on one connection, in order, and not confirmed on disk. */
  let kept: readonly UsageLine[] = [];
  let keptOn = 0;
  /** Inserted on a connection that was lost since. */
  let doubtful: readonly UsageLine[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  const clock = createServerClock();
  let [inserted, proven] = [0, 0];
  const listeners: (() => void)[] = [];

  function doubtOthersThan(connection: number): void {
    if (connection === keptOn) return;
    doubtful = [...doubtful, ...kept];
    kept = [];
    keptOn = connection;
  }

  /** @returns the connection on which they were. */
  async function written(records: readonly UsageLine[], deadline: number): Promise<WireConnection> {
    const on = await connection(link, deadline);
    const statement = records.some(showsBackground) ? INSERT_USAGE_AND_WORK : INSERT_USAGE;
    for (let round = 0; round < ROUNDS; round += 1) {
      const until = await clock.at(deadline, on.number, () => serverClock(on, deadline));
      const parameters = usageParameters(records, until);
      const { rows } = await execute(on, statement, parameters, deadline);
      const reply = usageReply(rows);
      clock.read(on.number, reply.clock);
      if (reply.isInTime) return on;
    }
    link.cut();
    throw new DatabaseUnavailable('the server received the records after their deadline');
  }

  /** The same on a new connection where one is lost, as in a switchover: a record that exists is left as it is. */
  async function writtenOnce(records: readonly UsageLine[], deadline: number): Promise<WireConnection> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await written(records, deadline);
      } catch (error) {
        const isOver = attempt === MOST_ATTEMPTS || performance.now() >= deadline;
        if (isOver || !(error instanceof ConnectionLost)) throw error;
      }
    }
  }

  async function insert(records: readonly UsageLine[], deadline: number): Promise<void> {
    const again = doubtful;
    const all = [...again, ...records];
    onBatch?.(all.length);
    const { number } = await writtenOnce(all, deadline);
    doubtful = doubtful.slice(again.length);
    doubtOthersThan(number);
    kept = [...kept, ...all];
    inserted += 1;
  }

  /** A batch in one statement; if the server refuses a record's content, one statement each, to refuse only that record. */
  async function insertAll(records: readonly UsageLine[], deadline: number): Promise<UsageFaults> {
    try {
      await insert(records, deadline);
      return NONE;
    } catch (error) {
      if (!isDataFault(error)) throw error;
    }
    const faults = new Map<UsageLine, Error>();
    for (const record of records) {
      try {
        await insert([record], deadline);
      } catch (error) {
        if (!isDataFault(error)) throw error;
        faults.set(record, error);
      }
    }
    return faults;
  }

  async function prove(deadline: number): Promise<void> {
    const before = kept.length;
    const on = await connection(link, deadline);
    await execute(on, PROVE, [], deadline);
    if (on.number === keptOn) kept = kept.slice(before);
    else doubtOthersThan(on.number);
    if (kept.length + doubtful.length > 0) return;
    proven = inserted;
    for (const listener of listeners) listener();
  }

  async function answer(requests: readonly (readonly UsageLine[])[], deadline: number): Promise<UsageFaults> {
    const records = requests.length === 1 ? (requests[0] ?? []) : requests.flat();
    const faults = records.length + doubtful.length > 0 ? await insertAll(records, deadline) : NONE;
    if (requests.some(({ length }) => length === 0)) await prove(deadline);
    return faults;
  }

  /** Every statement is sent here: records to insert, or none for a proof. */
  const batcher = createBatcher<readonly UsageLine[], UsageFaults>({
    limit: LIMIT,
    answer(requests, deadline, answered) {
      answer(requests, deadline).then(
        (faults) =>
          answered(
            null,
            requests.map(() => faults),
          ),
        (error: unknown) => answered(unavailable(error), []),
      );
    },
  });

  function proveSoon(milliseconds: number): void {
    if (closed || timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      askBatcher(batcher, [], performance.now() + budgetMs)
        .then(() => {
          if (kept.length + doubtful.length > 0) proveSoon(proveEveryMs);
          return null;
        })
        .catch(() => proveSoon(RETRY_MS));
    }, milliseconds);
  }

  return {
    durability: {
      get inserted() {
        return inserted;
      },
      get proven() {
        return proven;
      },
      onProven: (listener) => void listeners.push(listener),
    },
    insert(records, deadline = performance.now() + budgetMs) {
      if (records.length === 0) return Promise.resolve(NONE);
      if (closed) return Promise.reject(new DatabaseUnavailable('the usage log is closed'));
      proveSoon(proveEveryMs);
      return askBatcher(batcher, records, deadline);
    },
    async close(milliseconds) {
      closed = true;
      clearTimeout(timer);
      const deadline = performance.now() + milliseconds;
      // Twice: after a lost connection, the first proof only puts the kept records in doubt, the second inserts them.
      for (let round = 0; round < 2 && kept.length + doubtful.length > 0; round += 1) {
        await askBatcher(batcher, [], deadline).catch(() => {}); // unproven records are returned
      }
      link.cut();
      return [...doubtful, ...kept];
    },
  };
}

async function serverClock(on: WireConnection, deadline: number): Promise<number> {
  const { rows } = await execute(on, READ_CLOCK, [], deadline);
  return Number(rows[0]?.[0] ?? 0);
}

import { storable } from '@gateway/contract';
import { type DatabaseAddress, DatabaseUnavailable, isDataFault } from '@gateway/database';
import { answer, recordSet } from '@gateway/database/client/answers';
import { askBatcher, createBatcher } from '@gateway/database/client/batcher';
import type { Link } from '@gateway/database/client/link';
import { isAskedAgain, unavailable } from '@gateway/database/client/unavailable';
import type { Row, WireConnection } from '@gateway/database/wire/connection';
import { connection, createWireLink, execute } from '@gateway/database/wire/link';
import type { UsageRecord, WorkSeen } from './shape.ts';

/** How long a reading is used: two clocks drift apart, and a gateway may be idle for days. Milliseconds. */
const FRESH_MS = 60_000;

/** Whole milliseconds since 1970 on the server's clock, when it received the statement. */
const STATEMENT_CLOCK = 'floor(extract(epoch from statement_timestamp()) * 1000)::float8';

/** The statement that reads it alone. */
export const READ_CLOCK = `select ${STATEMENT_CLOCK}`;

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
    for (let attempts = 1; ; attempts += 1) {
      try {
        return await written(records, deadline);
      } catch (error) {
        if (!isAskedAgain(error, attempts, deadline)) throw error;
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

const { columns, rows } = recordSet({
  id: 'uuid',
  timestamp: 'timestamptz',
  subject: 'text',
  endpoint: 'text',
  model: 'text',
  modelId: 'uuid',
  inputTokens: 'bigint',
  cachedInputTokens: 'bigint',
  cacheWriteTokens: 'bigint',
  outputTokens: 'bigint',
  latencyMs: 'integer',
  firstTokenMs: 'integer',
  usageSource: 'text',
  interrupted: 'boolean',
  upstreamStatus: 'integer',
} satisfies Record<Exclude<keyof UsageRecord, 'background'>, string>);

/** A record on its way into the table: a text costs the garbage collector less than an object, and is what a journal keeps too. */
export interface UsageLine {
  readonly id: string;
  /** JSON, as the table takes it. */
  readonly text: string;
}

/**
 * Written member by member: `JSON.stringify` of the record takes three times as long, two hundredths of a relayed call. Joined:
 * a line is kept until PostgreSQL has flushed it, and a text made by `+` keeps its parts, 1,280 bytes instead of 380.
 */
export function usageLine(record: UsageRecord): UsageLine {
  const parts = [
    `{"id":"${record.id}","timestamp":"${record.timestamp.toISOString()}","subject":`,
    jsonText(record.subject),
    ',"endpoint":',
    jsonText(record.endpoint),
    ',"model":',
    jsonText(record.model),
    `,"modelId":"${record.modelId}","inputTokens":${Math.round(record.inputTokens)}`,
    `,"cachedInputTokens":${Math.round(record.cachedInputTokens)}`,
    `,"cacheWriteTokens":${Math.round(record.cacheWriteTokens)}`,
    `,"outputTokens":${Math.round(record.outputTokens)},"latencyMs":${Math.round(record.latencyMs)}`,
    `,"firstTokenMs":${record.firstTokenMs === null ? null : Math.round(record.firstTokenMs)}`,
    `,"usageSource":"${record.usageSource}","interrupted":${record.interrupted}`,
    `,"upstreamStatus":${record.upstreamStatus}`,
  ];
  const seen = record.background ?? [];
  parts.push(seen.length > 0 ? `,"background":[${seen.map(workText).join(',')}]}` : '}');
  return { id: record.id, text: parts.join('') };
}

function workText(seen: WorkSeen): string {
  const { workId, partOf } = seen;
  return JSON.stringify({ ...seen, workId: storable(workId), partOf: partOf === null ? null : storable(partOf) });
}

const jsonText = (text: string): string => JSON.stringify(storable(text));

/**
 * Inserts a batch of records; existing ones are not changed, and not added to the totals again. Past the deadline, the last
 * parameter, nothing is written: the caller's answer states that nothing is billed (relay-31).
 * @param bills further records, which are made before the first one is inserted
 */
const insertUsage = (bills = '') => `
with asked as (select ${STATEMENT_CLOCK} as clock), written as (
  insert into request_logs (${columns}, started_by) ${bills}
  select ${columns}, null from ${rows(1)}
  where (select clock from asked) <= $2::float8
  on conflict (id) do nothing
)
select clock, clock <= $2::float8 from asked`;

const INSERT_USAGE = insertUsage();

/** The list of the work is the last member. */
function showsBackground({ text }: UsageLine): boolean {
  return text.endsWith(']}');
}

/** The same for a batch in which a record shows background work: with the records that bill what has ended. */
const INSERT_USAGE_AND_WORK = insertUsage(`
  select ${columns}, started_by
  from asked, bill_background_work(case when clock <= $2::float8 then $1::text::json end)
  union all`);

/** The server's reply to a batch. */
interface UsageReply {
  /** Of the server, milliseconds since 1970. */
  readonly clock: number;
  /** Whether it arrived before its deadline: otherwise nothing was written. */
  readonly isInTime: boolean;
}

/** @param rows of the statement */
function usageReply([row]: readonly Row[]): UsageReply {
  return { clock: Number(row?.[0] ?? 0), isInTime: row?.[1] === 't' };
}

/** @param deadline on the server's clock, milliseconds since 1970 */
function usageParameters(lines: readonly UsageLine[], deadline: number): (string | number)[] {
  return [`[${lines.map(({ text }) => text).join(',')}]`, deadline];
}

/**
 * The clock of the database server, for a deadline inside a statement: a thawed server executes what was in its socket, long
 * after the caller has left.
 */
interface ServerClock {
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

/** Euros per token. */
export interface ModelPrices {
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/**
 * The prices of the current month by the id of the model, also of models that were deleted.
 * @param deadline on the clock of `performance.now()`.
 * @throws DatabaseUnavailable
 */
export async function readModelPrices(link: Link, deadline: number): Promise<ReadonlyMap<string, ModelPrices>> {
  const rows = await answer(
    link,
    deadline,
    (sql) => sql<(ModelPrices & { readonly model: string })[]>`
      select model_id as model, coalesce(per_input_token, 0)::float8 as input, coalesce(per_cached_token, 0)::float8 as "cachedInput",
        coalesce(per_write_token, 0)::float8 as "cacheWrite", coalesce(per_output_token, 0)::float8 as output
      from model_prices`,
  );
  return new Map(rows.map(({ model, ...prices }) => [model, prices]));
}

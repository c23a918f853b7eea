import { createHash } from 'node:crypto';
import { arrayLiteral } from '../../../client/array-literal.ts';
import type { DatabaseAddress, Sql } from '../../../client/connect.ts';
import { createLink } from '../../../client/link.ts';
import { DatabaseUnavailable, unavailable } from '../../../client/unavailable.ts';
import { byTime } from './by-time.ts';
import { EXPORT_SOURCES, type ExportRecord, type ExportSource } from './records.ts';
import { type Horizon, horizonOf, readActions, readActs, readDecisions, readDetections } from './statements.ts';

export interface LogReaderOptions {
  readonly address: DatabaseAddress;
  /** The key of the stored positions. */
  readonly destination: string;
  /** Milliseconds for one answer. */
  readonly budgetMs: number;
  /** Bytes of an administration action's value past which it is left out. */
  readonly longestValue: number;
}

/** Position by source, of what is confirmed. */
export type Positions = Readonly<Partial<Record<ExportSource, bigint>>>;

/** Reads unconfirmed entries of a destination. One process at a time reads for a destination. */
export interface LogReader {
  /** Takes the turn, or keeps it. @returns false while another process has it. @throws DatabaseUnavailable */
  claim(): Promise<boolean>;
  /**
   * What follows the confirmed positions, at most `limit` entries of each source, each source in its order, mixed by time.
   * @throws DatabaseUnavailable, also where the turn was lost.
   */
  read(limit: number): Promise<readonly ExportRecord[]>;
  /** Keeps what is confirmed now. They only grow. @throws DatabaseUnavailable, also where the turn was lost. */
  confirm(positions: Positions): Promise<void>;
  close(): void;
}

/** First half of the advisory lock; the second half is the destination. */
const TURN = 727_004;
/** Administration actions contain whole policies, so their batches are smaller. */
const MAX_ACTIONS = 32;
/** Seconds until the server drops a silent gateway's connection, and with it the turn. */
const SILENCE = { tcp_keepalives_idle: 20, tcp_keepalives_interval: 5, tcp_keepalives_count: 4 };

const CONFIRM = `
insert into log_export_positions as kept (destination, source, position)
select $1::text, source, position from unnest($2::text[], $3::bigint[]) as confirmed (source, position)
on conflict (destination, source) do update set position = excluded.position, exported_at = now()
where kept.position < excluded.position`;

/**
 * The turn is a session lock (`pg_try_advisory_lock`): it ends with the connection, even if the process is killed, and the
 * connection's number reveals one that was lost in between.
 */
export function createLogReader({ address, destination, budgetMs, longestValue }: LogReaderOptions): LogReader {
  const link = createLink({
    address,
    applicationName: 'gateway log export',
    budgetMs,
    settings: { lock_timeout: budgetMs, ...SILENCE },
  });
  const key = createHash('sha256').update(destination).digest().readInt32BE(0);
  const positions = new Map<ExportSource, bigint>();
  const horizons = new Map<ExportSource, Horizon>();
  /** The connection with the turn. */
  let holder: number | null = null;

  async function ask<Answer>(work: (sql: Sql, connection: number) => Promise<Answer>): Promise<Answer> {
    try {
      return await link.run(performance.now() + budgetMs, work);
    } catch (error) {
      holder = null;
      link.cut();
      throw unavailable(error);
    }
  }

  const withTurn = <Answer>(work: (sql: Sql) => Promise<Answer>): Promise<Answer> =>
    // Rejects, and does not throw: what a link runs is a promise from its first step on.
    ask(async (sql, connection) => {
      if (connection !== holder) throw new DatabaseUnavailable('another process may export by now');
      return work(sql);
    });

  const after = (source: ExportSource): bigint => positions.get(source) ?? 0n;

  /** Entries of a table whose numbers are given before they are committed. */
  async function readNumbered(
    sql: Sql,
    source: 'detections' | 'acts',
    limit: number,
  ): Promise<readonly ExportRecord[]> {
    const table = source === 'acts' ? 'agent_acts' : 'secret_detections';
    const horizon = horizons.get(source) ?? (await horizonOf(sql, table, after(source)));
    if (horizon === null) return [];
    // Kept until it is reached: a new one every time would always wait for the newest transaction.
    horizons.set(source, horizon);
    return (source === 'acts' ? readActs : readDetections)(sql, after(source), horizon, limit);
  }

  function moveTo(source: ExportSource, position: bigint): void {
    positions.set(source, position);
    const horizon = horizons.get(source);
    if (horizon !== undefined && position >= horizon.number) horizons.delete(source);
  }

  return {
    claim: () =>
      ask(async (sql, connection) => {
        if (connection === holder) return true;
        const [lock] = await sql<{ taken: boolean }[]>`select pg_try_advisory_lock(${TURN}, ${key}) as taken`;
        if (lock?.taken !== true) return false;
        const rows = await sql<{ source: ExportSource; position: bigint }[]>`
          select source, position from log_export_positions where destination = ${destination}`;
        positions.clear();
        horizons.clear();
        for (const { source, position } of rows) positions.set(source, position);
        holder = connection;
        return true;
      }),
    read: (limit) =>
      withTurn(async (sql) => {
        const actions = Math.min(limit, MAX_ACTIONS);
        const read = await Promise.all([
          readActions(sql, after('actions'), actions, longestValue),
          readNumbered(sql, 'detections', limit),
          readNumbered(sql, 'acts', limit),
          readDecisions(sql, after('decisions'), limit),
        ]);
        const asked = [actions, limit, limit, limit];
        return byTime(read.map((records, index) => ({ records, full: records.length === asked[index] })));
      }),
    confirm: (confirmed) =>
      withTurn(async (sql) => {
        const sources = EXPORT_SOURCES.filter((source) => confirmed[source] !== undefined);
        const reached = sources.map((source) => confirmed[source] ?? 0n);
        await sql.unsafe(CONFIRM, [destination, arrayLiteral(sources), arrayLiteral(reached)], { prepare: true });
        for (const [index, source] of sources.entries()) moveTo(source, reached[index] ?? 0n);
      }),
    close: () => link.cut(),
  };
}

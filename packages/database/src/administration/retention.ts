import type { Queryable } from '../client/connect.ts';
import type { Act } from './act.ts';

/** Logs whose entries can be moved to a file. */
export const ARCHIVED_LOGS = ['decisions', 'usage', 'detections', 'acts'] as const;
export type ArchivedLog = (typeof ARCHIVED_LOGS)[number];

/** Logs with a retention. Results of engines are removed without an archive. */
export const KEPT_LOGS = [...ARCHIVED_LOGS, 'results'] as const;
export type KeptLog = (typeof KEPT_LOGS)[number];

/** Default retention of engine results in months; every other log is kept without end by default. */
const RESULTS_MONTHS = 3;

/** Whole months after the month of an entry; null: without end. */
export interface Retention {
  readonly log: KeptLog;
  readonly months: number | null;
}

export async function readRetention(sql: Queryable): Promise<readonly Retention[]> {
  const rows = await sql<{ log: string; months: number }[]>`select log, months from log_retention`;
  const set = new Map(rows.map(({ log, months }) => [log, months]));
  return KEPT_LOGS.map((log) => ({ log, months: set.get(log) ?? (log === 'results' ? RESULTS_MONTHS : null) }));
}

/** Sets the retention of a log; null: the default. Concurrent changes wait for each other. @returns false where nothing changed. */
export async function setRetention({ sql, record }: Act, log: KeptLog, months: number | null): Promise<boolean> {
  // A log without a row has nothing to lock, and two changes at once would both be recorded as the first.
  await sql`select pg_advisory_xact_lock(hashtextextended('log_retention', 7331))`;
  const [row] = await sql<{ months: number }[]>`select months from log_retention where log = ${log}`;
  const before = row ?? null;
  if ((before?.months ?? null) === months) return false;
  if (months === null) await sql`delete from log_retention where log = ${log}`;
  else {
    await sql`
      insert into log_retention (log, months) values (${log}, ${months}) on conflict (log) do update set months = excluded.months`;
  }
  const after = months === null ? null : { months };
  record({ action: 'log.retention', target: `log:${log}`, before, after });
  return true;
}

import { type Operator, operate } from '../../audit-log/operation.ts';
import type { Queryable, Sql } from '../../client/connect.ts';

/** Logs whose entries can be moved to a file. */
export const ARCHIVED_LOGS = ['decisions', 'usage', 'detections', 'acts'] as const;
export type ArchivedLog = (typeof ARCHIVED_LOGS)[number];

/** Logs with a retention. Results of engines are removed without an archive. */
export const KEPT_LOGS = [...ARCHIVED_LOGS, 'results'] as const;
export type KeptLog = (typeof KEPT_LOGS)[number];

/** Months that results of engines are kept where an operator set nothing; every other log is then kept without end. */
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

/** Sets how long a log is kept; null: as where nothing is set. @returns false where nothing changed. */
export async function setRetention(
  sql: Sql,
  operator: Operator,
  log: KeptLog,
  months: number | null,
): Promise<boolean> {
  return operate(sql, operator, async (at) => {
    const [before] = await at.sql<{ months: number }[]>`select months from log_retention where log = ${log} for update`;
    if ((before?.months ?? null) === months) return false;
    if (months === null) await at.sql`delete from log_retention where log = ${log}`;
    else {
      await at.sql`
        insert into log_retention (log, months) values (${log}, ${months}) on conflict (log) do update set months = excluded.months`;
    }
    const value = (kept: number | null) => (kept === null ? null : { months: kept });
    await at.record({
      action: 'log.retention',
      target: `log:${log}`,
      before: value(before?.months ?? null),
      after: value(months),
    });
    return true;
  });
}

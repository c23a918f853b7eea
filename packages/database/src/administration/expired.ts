import type { Seal } from '@gateway/ledger';
import { readArchiveAnchor } from '../audit-log/index.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import type { ArchivedLog } from './retention.ts';

/** Logs without a chain: their tables, and the time column of an entry. */
export const TABLES = {
  usage: { table: 'request_logs', at: 'timestamp' },
  detections: { table: 'secret_detections', at: 'at' },
  acts: { table: 'agent_acts', at: 'at' },
} as const;
export type TableLog = keyof typeof TABLES;

/** The month of the oldest entry that is not archived, its first day in UTC; null of an empty log. */
export async function oldestMonth(sql: Queryable, log: ArchivedLog): Promise<Date | null> {
  const anchor = log === 'decisions' ? await readArchiveAnchor(sql) : null;
  const [row] =
    log === 'decisions'
      ? await sql<{ at: Date }[]>`
          select at from authorization_decisions where sequence > ${anchor?.sequence ?? 0n} order by sequence limit 1`
      : await sql<{ at: Date }[]>`
          select ${sql(TABLES[log].at)} as at from ${sql(TABLES[log].table)} order by ${sql(TABLES[log].at)} limit 1`;
  return row ? new Date(Date.UTC(row.at.getUTCFullYear(), row.at.getUTCMonth())) : null;
}

/** The last entry that each collector of the log export has; null where none receives this log. */
export async function readExportedUpTo(sql: Queryable, log: ArchivedLog): Promise<bigint | null> {
  const [row] = await sql<{ position: bigint | null }[]>`
    select min(position) as position from log_export_positions where source = ${log}`;
  return row?.position ?? null;
}

/** Decisions for one archive, and the position after which the chain continues. */
export interface DecisionSpan {
  readonly after: bigint;
  readonly last: bigint;
  readonly digest: string;
  readonly seal: Seal;
}

/**
 * The oldest decisions recorded before an instant, up to a signed one. The last entry of the log is never among them: the next
 * one refers to it, and its sequence is where the log continues.
 */
export async function readExpiredDecisions(
  sql: Queryable,
  before: Date,
  upTo: bigint | null,
): Promise<DecisionSpan | null> {
  const after = (await readArchiveAnchor(sql))?.sequence ?? 0n;
  const [row] = await sql<{ last: bigint; digest: string; keyId: string; signature: Buffer }[]>`
    select entry.sequence as last, encode(entry.digest, 'hex') as digest, seal.key_id as "keyId", seal.signature
    from authorization_decision_seals seal join authorization_decisions entry on entry.sequence = seal.sequence
    where seal.sequence > ${after} and seal.sequence <= ${upTo ?? 2n ** 62n}
      and seal.sequence < (select max(sequence) from authorization_decisions)
      and seal.sequence < coalesce(
        (select sequence from authorization_decisions where at >= ${before} and sequence > ${after} order by authorization_decisions.sequence limit 1), 1::bigint << 62)
    order by seal.sequence desc limit 1`;
  return row
    ? { after, last: row.last, digest: row.digest, seal: { keyId: row.keyId, signature: row.signature } }
    : null;
}

const PAGE = 2000;

/** Rows of a log without a chain from before an instant, oldest first, each as a line of JSON. */
export async function* readExpiredRows(
  sql: Sql,
  log: TableLog,
  before: Date,
  upTo: bigint | null,
): AsyncGenerator<readonly string[]> {
  const { table, at } = TABLES[log];
  const exported = upTo === null || log === 'usage' ? sql`` : sql`and number <= ${upTo}`;
  const connection = await sql.reserve();
  try {
    const rows = connection<{ line: string }[]>`
      select row_to_json(entry)::text as line from ${sql(table)} entry where ${sql(at)} < ${before} ${exported} order by ${sql(at)}, id`;
    for await (const page of rows.cursor(PAGE)) yield page.map(({ line }) => line);
  } finally {
    connection.release();
  }
}

import type { Seal } from '@gateway/ledger';
import { arrayLiteral } from '../client/array-literal.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import type { Act, Changed, Changes, Created } from './act.ts';
import { ARCHIVE_ACTION, readArchiveAnchor } from './index.ts';

type LogChange = Changes<{
  readonly 'log.retention': {
    readonly before: { readonly months: number } | null;
    readonly after: { readonly months: number } | null;
  };
  readonly [ARCHIVE_ACTION]: Created<{
    readonly file: string;
    readonly entries: number;
    readonly sha256: string;
    /** Of the decision log. */
    readonly first?: number;
    readonly last?: number;
    readonly digest?: string;
  }>;
  readonly 'signing-key.endorse': Changed<{ readonly component: string; readonly endorsed: boolean }>;
}>;

/** One lock for all archivers: two at once would write the same entries to two files. */
const TURN = 727_005;

/** A file that entries were moved to. */
export interface Archive {
  readonly file: string;
  readonly log: ArchivedLog;
  readonly entries: number;
  readonly sha256: string;
  /** First and last entry of the decision log. */
  readonly first: bigint | null;
  readonly last: bigint | null;
  readonly archivedAt: Date;
  /** Null while its entries are in the database too. */
  readonly removedAt: Date | null;
}

/** Runs one archiving at a time. @returns null where another one runs. */
export async function withArchivingTurn<Result>(sql: Sql, work: () => Promise<Result>): Promise<Result | null> {
  const connection = await sql.reserve();
  try {
    const [lock] = await connection<{ taken: boolean }[]>`select pg_try_advisory_lock(${TURN}) as taken`;
    if (lock?.taken !== true) return null;
    try {
      return await work();
    } finally {
      await connection`select pg_advisory_unlock(${TURN})`;
    }
  } finally {
    connection.release();
  }
}

export function listArchives(sql: Queryable): Promise<readonly Archive[]> {
  return sql<Archive[]>`
    select file, log, entries::float8 as entries, sha256, first_sequence as first, last_sequence as last, archived_at as "archivedAt",
      removed_at as "removedAt"
    from log_archives order by archived_at, file`;
}

/** Records a file that is written and verified, with an act in the administration log: from here on its entries may be removed. */
export async function recordArchive(
  { sql, record }: Act<LogChange>,
  { file, log, entries, sha256 }: Pick<Archive, 'file' | 'log' | 'entries' | 'sha256'>,
  span: DecisionSpan | null,
): Promise<void> {
  const first = span && span.after + 1n;
  await sql`
    insert into log_archives (file, log, entries, sha256, first_sequence, last_sequence, digest, seal_key_id, seal_signature)
    values (${file}, ${log}, ${entries}, ${sha256}, ${first}, ${span?.last ?? null}, decode(${span?.digest ?? null}, 'hex'),
      ${span?.seal.keyId ?? null}, ${span ? Buffer.from(span.seal.signature) : null})`;
  const chained = span && { first: Number(first), last: Number(span.last), digest: span.digest };
  const after = { file, entries, sha256, ...chained };
  record({ action: ARCHIVE_ACTION, target: `log:${log}`, before: null, after });
}

/** Decisions removed in one transaction. */
const SPAN = 5000n;

/** Removes archived decisions and their seals, a few thousand at a time: locks are short, and an interruption loses nothing. */
export async function removeDecisions(sql: Sql, first: bigint, last: bigint): Promise<void> {
  for (let from = first; from <= last; from += SPAN) {
    const to = from + SPAN - 1n < last ? from + SPAN - 1n : last;
    await sql.begin(async (transaction) => {
      await transaction`delete from authorization_decisions where sequence between ${from} and ${to}`;
      await transaction`delete from authorization_decision_seals where sequence between ${from} and ${to}`;
    });
  }
}

/** Removes the rows with these ids. */
export async function removeRows(sql: Sql, log: TableLog, ids: readonly string[]): Promise<void> {
  await sql`delete from ${sql(TABLES[log].table)} where id = any(${arrayLiteral(ids)}::uuid[])`;
}

/** Marks the entries of an archive as removed, and frees their space for new ones. */
export async function finishArchive(sql: Sql, { file, log }: Pick<Archive, 'file' | 'log'>): Promise<void> {
  await sql`update log_archives set removed_at = now() where file = ${file}`;
  const tables =
    log === 'decisions' ? ['authorization_decisions', 'authorization_decision_seals'] : [TABLES[log].table];
  for (const table of tables) await sql`vacuum (analyze) ${sql(table)}`;
}

/** Logs without a chain: their tables, and the time column of an entry. */
const TABLES = {
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
export async function setRetention(
  { sql, record }: Act<LogChange>,
  log: KeptLog,
  months: number | null,
): Promise<boolean> {
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

/**
 * Accepts what a key signs, from now on and before (log-6). The privileges of the database allow it to the owner alone.
 * @returns false where it is endorsed already; null where no such key is registered
 */
export async function endorseSigningKey(
  { sql, author, record }: Act<LogChange>,
  fingerprint: string,
): Promise<boolean | null> {
  const [key] = await sql<{ component: string; isEndorsed: boolean }[]>`
    select component, endorsed_at is not null as "isEndorsed" from signing_keys where id = ${fingerprint} for update`;
  if (key === undefined) return null;
  if (key.isEndorsed) return false;
  await sql`update signing_keys set endorsed_at = now(), endorsed_by = ${author} where id = ${fingerprint}`;
  const { component } = key;
  record({
    action: 'signing-key.endorse',
    target: `signing-key:${fingerprint}`,
    before: { component, endorsed: false },
    after: { component, endorsed: true },
  });
  return true;
}

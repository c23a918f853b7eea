import { ARCHIVE_ACTION } from '../audit-log/index.ts';
import { arrayLiteral } from '../client/array-literal.ts';
import type { Queryable, Sql } from '../client/connect.ts';
import type { Act } from './act.ts';
import { type DecisionSpan, TABLES, type TableLog } from './expired.ts';
import type { ArchivedLog } from './retention.ts';

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
  { sql, record }: Act,
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

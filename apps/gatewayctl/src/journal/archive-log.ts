import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DECISIONS, extendTree, readChain, readEndorsedKeys, type Sql } from '@gateway/database';
import {
  type Archive,
  type ArchivedLog,
  type DecisionSpan,
  finishArchive,
  type Operator,
  oldestMonth,
  operate,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  recordArchive,
  removeDecisions,
  removeRows,
  type TableLog,
} from '@gateway/database/administration';
import { GENESIS, makeArchiveManifest, TreeFault, verifyChain, writeExportedEntry } from '@gateway/ledger';
import { CommandFailed } from '../context/context.ts';
import { digestOf, freeName, writeLines, writeManifest } from './archive-file.ts';
import { entriesIn } from './exported.ts';

export interface Archiving {
  readonly sql: Sql;
  readonly operator: Operator;
  readonly directory: string;
  /** Names of files that were recorded before, wherever they are now. */
  readonly taken: ReadonlySet<string>;
}

export type Moved = Pick<Archive, 'file' | 'log' | 'entries' | 'sha256' | 'first' | 'last'>;

async function* linesOf(sql: Sql, span: DecisionSpan): AsyncGenerator<readonly string[]> {
  for await (const entry of readChain(sql, DECISIONS, span.last, { after: span.after })) {
    yield [writeExportedEntry({ chain: DECISIONS, ...entry })];
  }
}

/** Verifies a file on disk: its entries are removed from the database only after that. */
async function assertIntact(sql: Sql, path: string, { after, last, digest }: DecisionSpan): Promise<void> {
  const [previous] = after === 0n ? [] : await readPlace(sql, after);
  const result = await verifyChain(
    entriesIn(path, () => {}),
    {
      chain: DECISIONS,
      keys: await readEndorsedKeys(sql, DECISIONS),
      behind: { sequence: after, digest: previous ?? GENESIS },
      checkpoint: { sequence: last, digest },
    },
  );
  if (result.ok && result.lastSequence === last) return;
  const why = result.ok ? `It ends at entry ${result.lastSequence} instead of ${last}.` : result.sentence;
  throw new CommandFailed(
    `${path} does not verify: ${why} Nothing was removed from the database. Run: gatewayctl journal verify`,
  );
}

async function readPlace(sql: Sql, sequence: bigint): Promise<string[]> {
  const rows = await sql<{ digest: string }[]>`
    select encode(digest, 'hex') as digest from log_archives where last_sequence = ${sequence}`;
  return rows.map(({ digest }) => digest);
}

/** Writes, verifies, records and removes the entries of a log that came before an instant. @returns null where there are none. */
async function archiveBefore(
  { sql, operator, directory, taken }: Archiving,
  log: ArchivedLog,
  month: Date,
  before: Date,
): Promise<Moved | null> {
  const upTo = await readExportedUpTo(sql, log);
  const span = log === 'decisions' ? await readExpiredDecisions(sql, before, upTo) : null;
  if (log === 'decisions' && span === null) return null;
  const name = freeName(directory, log, month, taken);
  const pages = log === 'decisions' ? span && linesOf(sql, span) : readExpiredRows(sql, log, before, upTo);
  const written = pages && (await writeLines(directory, name, pages));
  if (!written) return null;
  const path = join(directory, name);
  if (span) await assertIntact(sql, path, span);
  else if ((await digestOf(path)) !== written.sha256) {
    throw new CommandFailed(`${path} is not what was written. Nothing was removed from the database: check the disk.`);
  }
  const at = new Date().toISOString();
  await writeManifest(`${path}.manifest`, makeArchiveManifest(operator.signer, { at, log, ...written }));
  await operate(sql, operator, (act) => recordArchive(act, { log, ...written }, span));
  const moved = { log, ...written, first: span && span.after + 1n, last: span?.last ?? null };
  await removeArchived(sql, directory, moved);
  return moved;
}

/** Moves each expired month of a log to a separate file, oldest first. @param cut the first day that stays in the database */
export async function archiveLog(archiving: Archiving, log: ArchivedLog, cut: Date): Promise<readonly Moved[]> {
  const done: Moved[] = [];
  for (let month = await oldestMonth(archiving.sql, log); month !== null && month < cut; ) {
    const next = new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
    const moved = await archiveBefore(archiving, log, month, next);
    if (moved !== null) done.push(moved);
    // Decisions that were signed together with the first ones of the next month go with that month.
    const left = moved && (await oldestMonth(archiving.sql, log));
    month = left !== null && left > month ? left : next;
  }
  return done;
}

type Removable = Pick<Archive, 'file' | 'log' | 'sha256' | 'first' | 'last'>;

const ROWS = 2000;

/** Removes from the database exactly what a file contains, and only while the file exists unchanged. */
export async function removeArchived(sql: Sql, directory: string, archive: Removable): Promise<void> {
  const path = join(directory, archive.file);
  if ((await digestOf(path)) !== archive.sha256) {
    throw new CommandFailed(`${path} is not the file that was archived. Nothing of it was removed from the database.`);
  }
  const { log, first, last } = archive;
  if (log === 'decisions') {
    await keepLeaves(sql);
    await removeDecisions(sql, first ?? 1n, last ?? 0n);
  } else await removeListed(sql, log, path);
  await finishArchive(sql, archive);
}

/** The tree keeps the leaves of archived entries: it must have them before they are removed. */
async function keepLeaves(sql: Sql): Promise<void> {
  try {
    for (let more = true; more; ) ({ more } = await extendTree(sql, DECISIONS));
  } catch (error) {
    throw error instanceof TreeFault
      ? new CommandFailed(`Nothing was removed from the database. ${error.message}`)
      : error;
  }
}

async function removeListed(sql: Sql, log: TableLog, path: string): Promise<void> {
  let ids: string[] = [];
  for await (const line of createInterface({ input: createReadStream(path) })) {
    ids.push((JSON.parse(line) as { id: string }).id);
    if (ids.length < ROWS) continue;
    await removeRows(sql, log, ids);
    ids = [];
  }
  await removeRows(sql, log, ids);
}

import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { DECISIONS, extendTree, readChain, readEndorsedKeys, type Sql } from '@gateway/database';
import { type Operator, operate } from '@gateway/database/audit-log/act';
import {
  ARCHIVED_LOGS,
  type Archive,
  type ArchivedLog,
  type DecisionSpan,
  finishArchive,
  listArchives,
  oldestMonth,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  readRetention,
  recordArchive,
  removeDecisions,
  removeRows,
  type TableLog,
  withArchivingTurn,
} from '@gateway/database/audit-log/owner';
import {
  type ArchiveManifest,
  CheckpointFault,
  GENESIS,
  makeArchiveManifest,
  readArchiveManifest,
  TreeFault,
  verifyChain,
  writeExportedEntry,
} from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { printList } from '../context/list.ts';
import { withOperator } from '../context/operator.ts';
import { withDatabase } from '../context/owner-database.ts';
import { entriesIn, verifyExported } from '../journal/exported.ts';
import { LOGS } from '../journal/logs.ts';
import { type Keys, keysIn } from '../journal/trust.ts';

export interface ArchiveOptions {
  readonly directory?: string;
  readonly list?: boolean;
  readonly author?: string;
}

/**
 * `archive --directory DIR`: moves expired entries to files, one for each log and month, and removes them from the database
 * once the file is on disk and verified. `--list` names the files so far.
 */
export async function runArchive(context: Context, { directory, list = false, author }: ArchiveOptions): Promise<void> {
  if (list) return printArchives(context);
  if (directory === undefined) throw new WrongUsage('archive needs --directory, or --list.');
  const found = await stat(directory).catch(() => null);
  if (!found?.isDirectory()) throw new CommandFailed(`${directory} is not a directory. Create it first.`);
  const moved = await withOperator(context, author, (sql, operator) =>
    withArchivingTurn(sql, () => archiveAll(context, sql, operator, directory)),
  );
  if (moved === null) throw new CommandFailed('Another gatewayctl archive is running on this database.');
  const shown = moved.map(({ first, last, ...rest }) => ({
    ...rest,
    ...(first === null || last === null ? {} : { first: Number(first), last: Number(last) }),
  }));
  const lines = moved.map((one) => `${one.log}: ${countOf(one)} moved to ${join(directory, one.file)}.`);
  await print(context, shown, lines.length > 0 ? lines : ['No entry is past its retention (gatewayctl retention).']);
}

function countOf({ entries, first, last }: Moved): string {
  const count = `${entries} ${entries === 1 ? 'entry' : 'entries'}`;
  return first === null ? count : `${count} (${first} to ${last})`;
}

async function archiveAll(context: Context, sql: Sql, operator: Operator, directory: string): Promise<Moved[]> {
  const archives = await listArchives(sql);
  for (const archive of archives) if (archive.removedAt === null) await removeArchived(sql, directory, archive);
  const archiving = { sql, operator, directory, taken: new Set(archives.map(({ file }) => file)) };
  const retention = new Map((await readRetention(sql)).map(({ log, months }) => [log, months]));
  const done: Moved[] = [];
  const now = new Date();
  for (const log of ARCHIVED_LOGS) {
    const months = retention.get(log) ?? null;
    if (months === null) continue;
    const cut = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months));
    done.push(...(await archiveLog(archiving, log, cut)));
    const oldest = await oldestMonth(sql, log);
    if (oldest !== null && oldest < cut && (await readExportedUpTo(sql, log)) !== null) {
      context.terminal.report(`${log}: entries were kept that a collector of the log export has not confirmed yet.\n`);
    }
  }
  return done;
}

async function printArchives(context: Context): Promise<void> {
  const archives = await withDatabase(context.environment, listArchives);
  const values = archives.map(({ file, log, entries, sha256, first, last, archivedAt, removedAt }) => ({
    file,
    log,
    entries,
    sha256,
    first: first === null ? null : Number(first),
    last: last === null ? null : Number(last),
    archivedAt: archivedAt.toISOString(),
    removed: removedAt !== null,
  }));
  await printList(
    context,
    {
      header: ['file', 'log', 'entries', 'archived', 'removed from the database'],
      values,
      row: ({ file, log, entries, archivedAt, removed }) => [
        file,
        log,
        `${entries}`,
        archivedAt,
        removed ? 'yes' : 'no',
      ],
      none: 'Nothing was archived yet.',
    },
    undefined,
  );
}

async function manifestOf(path: string, keys: Keys): Promise<ArchiveManifest> {
  const text = await readFile(`${path}.manifest`, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path}.manifest cannot be read (${error.code}).`);
  });
  try {
    return readArchiveManifest(text, keys);
  } catch (error) {
    if (error instanceof CheckpointFault) throw new CommandFailed(`${path}.manifest: ${error.message}`);
    throw error;
  }
}

/**
 * `archive-verify FILE…`: each file against its signed manifest, and the decision log's chain across its files, in the order given.
 * Needs no database.
 */
export async function runArchiveVerify(
  context: Context,
  files: readonly string[],
  { publicKey }: { readonly publicKey: readonly string[] },
): Promise<void> {
  const keys = await keysIn(publicKey);
  const found = [];
  for (const path of files) {
    const manifest = await manifestOf(path, keys);
    const same = manifest.file === basename(path) && manifest.sha256 === (await digestOf(path));
    if (!same) throw new CommandFailed(`${path} is not the file that its manifest describes: it was changed.`);
    found.push({ path, ...manifest });
  }
  const chained = found.filter(({ log }) => log === 'decisions').map(({ path }) => path);
  if (chained.length > 0) {
    const [, result] = await verifyExported(context, { files: chained, after: null, logs: LOGS }, publicKey, null);
    if (!result.ok) throw new CommandFailed(`The chain is not valid: ${result.sentence}`);
  }
  const lines = found.map(({ path, log, entries }) => `${path}: intact, ${entries} of ${log}.`);
  await print(context, { ok: true, files: found }, lines);
}

interface Archiving {
  readonly sql: Sql;
  readonly operator: Operator;
  readonly directory: string;
  /** Names of files that were recorded before, wherever they are now. */
  readonly taken: ReadonlySet<string>;
}

type Moved = Pick<Archive, 'file' | 'log' | 'entries' | 'sha256' | 'first' | 'last'>;

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
async function archiveLog(archiving: Archiving, log: ArchivedLog, cut: Date): Promise<readonly Moved[]> {
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
async function removeArchived(sql: Sql, directory: string, archive: Removable): Promise<void> {
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

interface WrittenFile {
  /** Name, without its directory. */
  readonly file: string;
  readonly entries: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

function failed(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === undefined || error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${path} cannot be written (${error.code}). Nothing of it was removed from the database.`);
  };
}

/** Flushes a file or directory to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A name for entries of a month that no file of the directory has: `usage-2026-01-1.jsonl`. */
export function freeName(directory: string, log: string, month: Date, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${log}-${month.toISOString().slice(0, 7)}-${number}.jsonl`;
    if (!taken.has(name) && !existsSync(join(directory, name))) return name;
  }
}

/**
 * Writes lines to a new file, which has its name only once it is whole and on disk. @returns null where there is no line.
 * @throws CommandFailed where it cannot be written
 */
export async function writeLines(
  directory: string,
  file: string,
  pages: AsyncIterable<readonly string[]>,
): Promise<WrittenFile | null> {
  const path = join(directory, file);
  const partial = `${path}.partial`;
  const digest = createHash('sha256');
  let entries = 0;
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        const bytes = Buffer.from(`${page.join('\n')}\n`);
        await handle.writeFile(bytes);
        digest.update(bytes);
        entries += page.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (entries === 0) {
      await rm(partial);
      return null;
    }
    await rename(partial, path);
    await sync(directory);
  } catch (error) {
    failed(path)(error as NodeJS.ErrnoException);
  }
  return { file, entries, sha256: digest.digest('hex') };
}

export async function writeManifest(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true }).catch(failed(path));
}

/** SHA-256 of a file as it is on disk, hexadecimal. @throws CommandFailed where it cannot be read */
export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be read (${error.code}).`);
  });
  return digest.digest('hex');
}

import { readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Sql } from '@gateway/database';
import {
  ARCHIVED_LOGS,
  listArchives,
  type Operator,
  oldestMonth,
  readExportedUpTo,
  readRetention,
  withArchivingTurn,
} from '@gateway/database/administration';
import { type ArchiveManifest, CheckpointFault, readArchiveManifest } from '@gateway/ledger';
import { CommandFailed, type Context, print, WrongUsage } from '../context/context.ts';
import { printList } from '../context/list.ts';
import { digestOf } from '../journal/archive-file.ts';
import { archiveLog, type Moved, removeArchived } from '../journal/archive-log.ts';
import { verifyExported } from '../journal/exported.ts';
import { LOGS } from '../journal/logs.ts';
import { type Keys, keysIn } from '../journal/trust.ts';
import { withOperator } from '../operator/operator.ts';
import { withDatabase } from '../operator/owner-database.ts';

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

import { stat } from 'node:fs/promises';
import { join } from 'node:path';
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
import { archiveLog, type Moved } from '../archive/archive-log.ts';
import { removeArchived } from '../archive/remove.ts';
import { type Context, print } from '../context/context.ts';
import { CommandFailed, WrongUsage } from '../context/fault.ts';
import { withOperator } from '../operator/operator.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { printList } from '../output/list.ts';

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

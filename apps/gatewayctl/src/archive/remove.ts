import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DECISIONS, extendTree, type Sql } from '@gateway/database';
import {
  type Archive,
  finishArchive,
  removeDecisions,
  removeRows,
  type TableLog,
} from '@gateway/database/administration';
import { TreeFault } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';
import { digestOf } from './file.ts';

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

import { errorCode } from '@gateway/contract/error-code';
import type { Context } from '../../process/context.ts';
import { CommandFailed, reasonOf } from '../../process/fault.ts';
import { listRecords, type StoredRecord } from '../../record/entry.ts';
import { type Purge, purgeRecord } from '../../record/read.ts';
import { removeOldCopies, undoFolder } from '../../sessions/objects.ts';
import { EXIT } from '../command/command.ts';

interface Options {
  readonly before: Date;
  readonly json: boolean;
}

/** Purges every record, and copies for undo as old. A record that fails keeps the others from nothing. */
export async function runPurge(context: Context, { before, json }: Options): Promise<number> {
  const { environment, terminal, now } = context;
  const home = environment.homeDirectory;
  if (home === null) throw new CommandFailed('You have no home directory, so there is no record. Set HOME.');
  const purged: { readonly session: string; readonly removed: number; readonly kept: number }[] = [];
  let failures = 0;
  for (const record of await listRecords(home)) {
    const result = await attempt(record, before, now());
    if (typeof result !== 'string') {
      if (result.outcome === 'purged')
        purged.push({ session: record.session, removed: result.removed, kept: result.kept });
      continue;
    }
    failures += 1;
    terminal.report(`gw: The record of session ${record.session} was not purged: ${result}\n`);
  }
  const copies = await removeOldCopies(undoFolder(home), before);
  const entries = purged.reduce((sum, { removed }) => sum + removed, 0);
  const text = `Removed entries written before ${before.toISOString()}: ${entries}. Records changed: ${purged.length}.${copies === 0 ? '' : ` Copies for undo removed: ${copies}.`}`;
  await terminal.write(`${json ? JSON.stringify({ before: before.toISOString(), purged }) : text}\n`);
  return failures === 0 ? EXIT.done : EXIT.failed;
}

/** What became of it, or why it was left alone. */
async function attempt(
  { path }: StoredRecord,
  before: Date,
  now: Date,
): Promise<Exclude<Purge, { outcome: 'broken' }> | string> {
  try {
    const purge = await purgeRecord(path, before, now);
    return purge.outcome === 'broken'
      ? `it is broken at entry ${purge.broken.sequence}. ${purge.broken.reason}`
      : purge;
  } catch (error) {
    return errorCode(error) === '' ? String(error) : reasonOf(error);
  }
}

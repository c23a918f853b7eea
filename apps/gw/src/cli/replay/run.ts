import { legible } from '@gateway/contract/legible';
import type { Context } from '../../process/context.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import { type ReadRecord, readRecord } from '../../record/read.ts';
import { isSession, listRecords, type StoredRecord } from '../../record/store.ts';
import { timeline } from '../../record/timeline.ts';
import { EXIT } from '../command/exit.ts';
import { latestOfProject } from './latest.ts';
import { purgesJson, purgesText, type Verified } from './purges.ts';

export interface ReplayOptions {
  /** Null: the latest of this repository; with `purges`, all. */
  readonly session: string | null;
  readonly json: boolean;
  readonly purges: boolean;
}

/** Prints a record. A broken chain is printed as far as it can be read, and ends with exit code 2. */
export async function runReplay(context: Context, { session, json, purges }: ReplayOptions): Promise<number> {
  const { environment, terminal } = context;
  const home = environment.homeDirectory;
  if (home === null) throw new CommandFailed('You have no home directory, so there is no record. Set HOME.');
  const records = await listRecords(home);
  const all = purges && session === null;
  const chosen = all
    ? records
    : [session === null ? await latestOfProject(context, records) : findRecord(records, session)];
  const verified = await Promise.all(
    chosen.map(async (stored): Promise<Verified> => ({ ...stored, ...(await readRecord(stored.path)) })),
  );
  if (purges) await terminal.write(json ? purgesJson(verified) : purgesText(verified));
  else for (const one of verified) await terminal.write(json ? recordJson(one) : recordText(one));
  const broken = verified.filter((one) => one.broken !== null);
  for (const one of broken) {
    terminal.report(
      `gw: The record of session ${one.session} is broken at entry ${one.broken?.sequence}. ${one.broken?.reason}\n`,
    );
  }
  return broken.length === 0 ? EXIT.done : EXIT.wrongUsage;
}

function findRecord(records: readonly StoredRecord[], session: string): StoredRecord {
  const found = isSession(session) ? records.find((one) => one.session === session) : undefined;
  if (found !== undefined) return found;
  throw new WrongUsage(
    `There is no record of session ${JSON.stringify(session)} on this machine. Run gw ls to list sessions.`,
  );
}

function recordJson({ session, entries, broken }: Verified): string {
  return `${JSON.stringify({ session, intact: broken === null, entries, brokenAt: broken?.sequence ?? null })}\n`;
}

function recordText({ session, entries, purged, broken }: Verified): string {
  const removed = purged.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const state = broken === null ? 'intact' : `BROKEN at entry ${broken.sequence}`;
  const title = `Session ${session}: ${pluralize(entries.length, 'entry', 'entries')}${removed === 0 ? '' : `, ${removed} purged`}, ${state}`;
  return `${title}\n${broken === null ? timeline(entries) : brokenTimeline(entries, broken)}`;
}

function brokenTimeline(entries: ReadRecord['entries'], broken: NonNullable<ReadRecord['broken']>): string {
  const { index, reason } = broken;
  return `${timeline(entries.slice(0, index))}  -- broken here: ${legible(reason)}\n${timeline(entries.slice(index))}`;
}

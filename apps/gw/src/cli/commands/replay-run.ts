import { open } from 'node:fs/promises';
import { legible } from '@gateway/contract/legible';
import { findProject } from '../../files/project.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { pluralize } from '../../process/pluralize.ts';
import { isSession, listRecords, readEntry, type StoredRecord, timeline } from '../../record/entry.ts';
import { type ReadRecord, readRecord } from '../../record/read.ts';
import { EXIT } from '../command/command.ts';

/** The record that changed last of those whose session ran in this project. */
async function latestOfProject({ environment }: Context, records: readonly StoredRecord[]): Promise<StoredRecord> {
  const { workingDirectory, userId } = environment;
  if (workingDirectory !== null) {
    const { directory } = await findProject(workingDirectory, userId);
    for (const record of records) if ((await projectOf(record)) === directory) return record;
  }
  throw new WrongUsage('There is no record of a session in this repository. Name a session: gw replay SESSION.');
}

/** Where a session ran, as its first entry says. Null where that entry was purged. */
async function projectOf({ path }: StoredRecord): Promise<string | null> {
  const file = await open(path, 'r');
  try {
    for await (const line of file.readLines()) {
      const project = readEntry(line)?.['project'];
      return typeof project === 'string' ? project : null;
    }
    return null;
  } finally {
    await file.close();
  }
}

/** A record with what verifying it gave. */
type Verified = StoredRecord & ReadRecord;

/** The purged ranges of records, as JSON. */
function purgesJson(records: readonly Verified[]): string {
  const purges = records.flatMap(({ session, purged, broken }) =>
    purged.map((range) => ({ session, ...range, proved: broken === null })),
  );
  return `${JSON.stringify({ purges })}\n`;
}

/** The same for people: which entries, when they were written and purged, and the digests on both sides of the gap. */
function purgesText(records: readonly Verified[]): string {
  const lines = records.flatMap(({ session, purged, broken }) =>
    purged.flatMap(({ first, last, from, until, purgedAt, provedBy, previous, digest }) => [
      `Session ${session}: entries ${first} to ${last}, written from ${from} to ${until}`,
      `  purged:    ${purgedAt}`,
      `  proved by: entry ${provedBy}${broken === null ? '' : ', but the record is broken'}`,
      `  previous:  ${previous}`,
      `  digest:    ${digest}`,
    ]),
  );
  return lines.length === 0 ? 'Nothing was purged.\n' : `${lines.join('\n')}\n`;
}

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

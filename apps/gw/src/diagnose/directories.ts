import { join } from 'node:path';
import { type Entry, listDirectory } from '../files/listing.ts';
import type { Unread } from '../files/reading.ts';
import { type Rights, rightsOf } from '../files/rights.ts';
import { pluralize } from '../process/pluralize.ts';
import { reportUnread } from './faults.ts';
import type { Line, Probe } from './probe.ts';
import type { OwnDirectory } from './project.ts';

export interface EntryFacts {
  readonly name: string;
  readonly kind: Entry['kind'];
  /** Null if it was deleted before it was read. */
  readonly bytes: number | null;
  readonly rights: Rights | null;
}

export interface DirectoryFacts {
  readonly of: OwnDirectory['of'];
  readonly path: string;
  readonly state: 'read' | Unread;
  readonly entries: readonly EntryFacts[];
  /** There are more entries than are listed. */
  readonly more: boolean;
}

/** Entries that the report lists. Findings are made of a thousand. */
const LISTED = 100;
/** Files intended to be shared with the project, or readable by all. */
const SHARED = /\.md$|^(?:agents|rules|\.gitignore)$/;

/** A directory `.gateway`: its content, and who else can read or change it. */
export async function directoryFacts(probe: Probe, { of, path }: OwnDirectory): Promise<DirectoryFacts> {
  const { redaction, find, environment } = probe;
  const listing = await listDirectory(path);
  if (listing.state !== 'read') {
    if (listing.state !== 'absent') reportUnread(probe, 'The directory', path, listing.state);
    return { of, path, state: listing.state, entries: [], more: false };
  }
  const own = listing.self;
  const entries = listing.entries.map(({ name, kind, stats }) => {
    return { name, kind, bytes: stats?.size ?? null, rights: rightsOf(stats, environment.userId) };
  });
  judge(probe, path, rightsOf(own, environment.userId), entries);
  for (const { name, nameable } of listing.entries) {
    if (!nameable) {
      const where = redaction.format`${join(path, name)}`;
      find({ what: 'A file has a name that is not UTF-8, and cannot be named.', where, fix: 'Rename it.' });
    }
  }
  return { of, path, state: 'read', entries: entries.slice(0, LISTED), more: listing.more || entries.length > LISTED };
}

function judge({ redaction, find }: Probe, path: string, own: Rights | null, entries: readonly EntryFacts[]): void {
  const where = redaction.format`${path}`;
  const named = (some: readonly EntryFacts[]): string =>
    some
      .slice(0, 5)
      .map(({ name }) => redaction.name(name))
      .join(', ') + (some.length > 5 ? ', …' : '');
  if (own?.foreign === true || entries.some(({ rights }) => rights?.foreign)) {
    const some = named(entries.filter(({ rights }) => rights?.foreign));
    find({
      grade: 'security',
      what: some === '' ? 'The directory belongs to another user.' : `Files belong to another user: ${some}.`,
      where,
      fix: 'Have them given to you (chown), or make them again.',
    });
  }
  const changeable = entries.filter(({ kind, rights }) => kind !== 'link' && rights?.othersWrite);
  if (own?.othersWrite === true || changeable.length > 0) {
    const what = own?.othersWrite === true ? 'the directory itself' : named(changeable);
    find({
      grade: 'security',
      what: `Others can change ${what}: they control the instructions of your agents and the programs that run.`,
      where,
      fix: redaction.format`chmod -R go-w ${path}`,
    });
  }
  // Nobody reaches the content of a directory that is closed to them.
  const readable = entries.filter(
    ({ name, kind, rights }) => kind === 'file' && rights?.othersRead && !SHARED.test(name),
  );
  const secret = readable.filter(({ name }) => !/^config\.ya?ml$/.test(name)); // Judged by its content.
  if (own?.othersRead !== false && secret.length > 0) {
    find({
      grade: 'security',
      what: `Others can read ${named(secret)}.`,
      where,
      fix: redaction.format`chmod go= on them, or on ${path} itself`,
    });
  }
}

export function directoryLines(facts: DirectoryFacts): readonly Line[] {
  const head: Line = [facts.of === 'project' ? 'Of the project' : 'Of yours', `${facts.path}: ${stateOf(facts)}`];
  const lines = facts.entries.map(({ name, kind, bytes, rights }): Line => {
    const size = kind === 'file' ? (bytes === null ? 'gone' : pluralize(bytes, 'byte')) : kind;
    const mode =
      rights === null ? '' : `, ${rights.mode}${rights.othersRead && kind === 'file' ? ', others can read it' : ''}`;
    return ['', `${name}  (${size}${mode})`];
  });
  return [head, ...lines, ...(facts.more ? [['', '… and more'] as const] : [])];
}

function stateOf({ state, entries }: DirectoryFacts): string {
  if (state !== 'read') return state;
  return entries.length === 0 ? 'empty' : pluralize(entries.length, 'entry', 'entries');
}

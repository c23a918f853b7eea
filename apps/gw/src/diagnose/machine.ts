import { join } from 'node:path';
import { type Entry, listDirectory } from '../files/listing.ts';
import type { Unread } from '../files/reading.ts';
import { type Rights, rightsOf } from '../files/replace.ts';
import { askProgram, findProgram, searchPath } from '../process/ask-git.ts';
import type { Terminal } from '../process/context.ts';
import type { Machine } from '../process/machine.ts';
import { pluralize } from '../process/pluralize.ts';
import { LEAST_NODE, VERSION } from '../process/product.ts';
import { type Line, type Probe, reportUnread } from './probe.ts';
import type { OwnDirectory } from './project.ts';

/** No client existed before this: an earlier clock is wrong. */
const EARLIEST = Date.UTC(2026, 0, 1);

export interface MachineFacts extends Machine {
  readonly client: string;
  readonly clock: string;
}

export function machineFacts({ machine, now, redaction, find }: Probe): MachineFacts {
  const clock = now();
  if (Number(machine.node.split('.')[0]) < LEAST_NODE) {
    find({
      what: redaction.format`Node ${machine.node} is older than this client needs.`,
      where: 'the program node',
      fix: redaction.format`Install Node ${LEAST_NODE} or newer.`,
    });
  }
  if (clock.getTime() < EARLIEST) {
    find({
      what: 'The clock is wrong. Tokens and certificates are judged by it.',
      where: redaction.format`the clock, which says ${clock.toISOString()}`,
      fix: 'Set it, or have it set from the network.',
    });
  }
  return { client: VERSION, ...machine, clock: clock.toISOString() };
}

export function machineLines(facts: MachineFacts): readonly Line[] {
  return [
    ['Client', `gw ${facts.client}`],
    ['Node', facts.node],
    ['System', `${facts.platform} ${facts.release} (${facts.build}), ${facts.architecture}`],
    ['Clock', `${facts.clock}, time zone ${facts.timeZone}`],
  ];
}

export interface TerminalFacts extends Omit<Terminal, 'write' | 'report' | 'readAll' | 'readHidden' | 'ask'> {
  /** Variables that affect the terminal, as set. */
  readonly variables: Readonly<Record<string, string>>;
  readonly unicode: boolean;
}

const VARIABLES = [
  'TERM',
  'COLORTERM',
  'TERM_PROGRAM',
  'NO_COLOR',
  'FORCE_COLOR',
  'LC_ALL',
  'LC_CTYPE',
  'LANG',
] as const;

export function terminalFacts({ terminal, environment, machine, find }: Probe): TerminalFacts {
  const set = VARIABLES.flatMap((name) => {
    const value = environment.variables.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const locale = set.find(([name]) => name.startsWith('L'))?.[1];
  const unicode = machine.platform === 'win32' || /utf-?8/i.test(locale ?? '');
  if (terminal.output && !unicode) {
    find({
      grade: 'hint',
      what: 'The locale does not say UTF-8, so that signs beyond ASCII may be shown wrongly.',
      where: locale === undefined ? 'LC_ALL, LC_CTYPE and LANG, none of which is set' : 'LC_ALL, LC_CTYPE or LANG',
      fix: 'Set LANG to a locale that is installed (locale -a) and ends in UTF-8, C.UTF-8 for instance.',
    });
  }
  const { input, output, error, columns, rows, colors }: Terminal = terminal;
  return { input, output, error, columns, rows, colors, variables: Object.fromEntries(set), unicode };
}

export function terminalLines(facts: TerminalFacts): readonly Line[] {
  const watched = (['input', 'output', 'error'] as const).filter((stream) => facts[stream]);
  const size =
    facts.columns === null ? 'none' : `${facts.columns} columns, ${facts.rows ?? '?'} rows, ${facts.colors} colours`;
  return [
    ['Terminal at', watched.length === 0 ? 'no standard stream' : `standard ${watched.join(', ')}`],
    ['Size', size],
    ['Encoding', facts.unicode ? 'UTF-8' : 'not UTF-8 by the locale'],
    ...Object.entries(facts.variables),
  ];
}

export interface ToolFacts {
  readonly name: string;
  /** Null where it is not on the path. */
  readonly file: string | null;
  /** Null where it did not say. */
  readonly version: string | null;
}

/** Programs that the client works with, and the words that make each say its version. */
const TOOLS = [
  ['git', ['--version']],
  ['rg', ['--no-config', '--version']],
] as const;

/** @param repository whether the project is one, so that git is missed where it is absent. */
export async function toolsFacts(probe: Probe, repository: boolean): Promise<readonly ToolFacts[]> {
  const { environment, redaction, find } = probe;
  if (searchPath(environment).relative) {
    find({
      grade: 'security',
      what: 'PATH holds a relative directory, so that a project can put its own programs in the place of yours.',
      where: 'PATH',
      fix: 'Remove its empty entries, "." and every other one that does not begin at the root.',
    });
  }
  const facts: ToolFacts[] = [];
  for (const [name, args] of TOOLS) {
    const file = await findProgram(name, environment);
    const answer = file === null ? null : await askProgram(file, args, environment);
    const version = /\d+\.\d+[\w.-]*/.exec(answer?.output.slice(0, 200) ?? '')?.[0] ?? null;
    if (file === null && name === 'git' && repository) {
      find({
        what: 'The project is a repository, and git is not found.',
        where: 'PATH',
        fix: 'Install git, or add its directory to PATH.',
      });
    }
    if (answer !== null && answer.code !== 0) {
      find({
        what: redaction.format`${name} does not run.`,
        where: redaction.format`${file ?? ''}`,
        fix: 'Install it again.',
      });
    }
    facts.push({ name, file, version });
  }
  return facts;
}

export function toolsLines(facts: readonly ToolFacts[]): readonly Line[] {
  return facts.map(({ name, file, version }) => [
    name,
    file === null ? 'not found' : `${version ?? 'does not say its version'}, ${file}`,
  ]);
}

interface EntryFacts {
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

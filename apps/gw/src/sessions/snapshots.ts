import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, lstat, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Restored, Snapshots } from '../agent/types/index.ts';
import { absolutePath, askGit, listFiles, withoutFilters } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';
import { createObjects, isSame, type Kept, LARGEST_BYTES } from './objects.ts';

/** Files that a look at the project takes in: in a larger one, changes of commands beyond them are not undone. */
const MOST_FILES = 20_000;
const PASSED_OVER = new Set(['.git', 'node_modules']);

/** The stamp that shows a change of a file without reading it, by absolute path. */
type Look = ReadonlyMap<string, string>;
/** The stamp of a path at which there is no file. */
const ABSENT = 'absent';

/** The files of the project that git does not ignore; without git, all but `node_modules`. Git's own state is left out. */
async function lookAtProject(project: string): Promise<Look> {
  const look = await lookAt(project, (await gitFiles(project)) ?? (await walk(project)));
  return new Map([...look].filter(([, mark]) => mark !== ABSENT));
}

/** The stamps of some files of the project. */
async function lookAt(project: string, names: Iterable<string>): Promise<Look> {
  const marks = await Promise.all(
    [...names].slice(0, MOST_FILES).map(async (name) => {
      const path = join(project, name);
      const found = await lstat(path, { bigint: true }).catch(() => null);
      if (found === null || found.isDirectory()) return [path, ABSENT] as const;
      return [path, `${found.size} ${found.mtimeNs} ${found.ctimeNs} ${found.ino} ${found.mode}`] as const;
    }),
  );
  return new Map(marks);
}

async function gitFiles(project: string): Promise<readonly string[] | null> {
  const names = await listFiles(project, '--cached', '--others', '--exclude-standard');
  return names === null ? null : [...new Set(names)];
}

async function walk(project: string): Promise<readonly string[]> {
  const names: string[] = [];
  const queue = [''];
  for (let at = queue.shift(); at !== undefined && names.length < MOST_FILES; at = queue.shift()) {
    for (const entry of await readdir(join(project, at), { withFileTypes: true }).catch(() => [])) {
      if (PASSED_OVER.has(entry.name)) continue;
      if (entry.isDirectory()) queue.push(join(at, entry.name));
      else names.push(join(at, entry.name));
    }
  }
  return names;
}

/** As git writes the mode of a link. */
const LINK = '120000';
/** A file system of another machine may have another clock. */
const CLOCKS_DIFFER_MS = 2000;

const nothing = async (): Promise<void> => undefined;
const nothingToRestore = async (): Promise<null> => null;
/** Where nobody can undo, or does not want to: nothing is copied. */
export const NO_SNAPSHOTS: Snapshots = {
  begin: nothing,
  beforeWrite: nothing,
  beforeCommand: nothing,
  afterCommand: nothing,
  end: nothing,
  undo: nothingToRestore,
  redo: nothingToRestore,
};

interface Turn {
  readonly turn: number;
  /** By absolute path. */
  readonly files: ReadonlyMap<string, { readonly before: Kept; readonly after: Kept }>;
}

export interface SnapshotOptions {
  /** Whether a content is not to be copied: its file is not restored. */
  readonly holdsSecret?: (content: Uint8Array) => boolean;
  /** What git keeps already is not copied. Without it, every file is. */
  readonly index?: GitIndex | undefined;
}

/** What the project was like before a command. */
interface Before {
  readonly look: Look;
  /** It has only what differs from git's index. */
  readonly byIndex: boolean;
  readonly at: number;
}

/**
 * Copies of files that turns change, including by commands, so that changes can be undone and redone while the session is open.
 * @param directory where the copies are kept
 */
export function createSnapshots(
  project: string,
  directory: string,
  { holdsSecret, index }: SnapshotOptions = {},
): Snapshots {
  const objects = createObjects(directory, holdsSecret);
  const done: Turn[] = [];
  const undone: Turn[] = [];
  /** Copies of files from the latest scan, with the stamp that shows a change. */
  const copies = new Map<string, { readonly mark: string; readonly kept: Kept }>();
  let number = 0;
  let before = new Map<string, Kept>();
  let earlier: Promise<Before> | null = null;
  /** Commands that run now. */
  let running = 0;
  /** Since the start of the session, after which old copies are removed once. */
  let hasCopied = false;
  let pruned = false;

  const remember = (path: string, kept: Kept): void => {
    if (!before.has(path)) before.set(path, kept);
  };

  async function lookBefore(): Promise<Before> {
    const changed = (await index?.take()) ?? null;
    const look = await (changed === null ? lookAtProject(project) : lookAt(project, changed.keys()));
    for (const [path, mark] of look) {
      if (copies.get(path)?.mark !== mark) copies.set(path, { mark, kept: await objects.keep(path) });
    }
    return { look, byIndex: changed !== null, at: Date.now() };
  }

  async function rememberChanges({ look, byIndex, at }: Before): Promise<void> {
    const changed = byIndex ? ((await index?.look()) ?? null) : null;
    if (byIndex && changed === null) return; // git answers no more: nothing is known
    const now = await (changed === null ? lookAtProject(project) : lookAt(project, changed.keys()));
    for (const [path, mark] of look) {
      const copy = copies.get(path) ?? { kept: 'not kept' };
      if (now.get(path) !== mark) remember(path, copy.kept);
    }
    const others = [...now.keys()].filter((path) => !look.has(path));
    if (changed === null) for (const path of others) remember(path, null);
    else await rememberOthers(others, changed, at);
  }

  /** Files that were as the index has them, and files that were not there. */
  async function rememberOthers(paths: readonly string[], changed: Changed, since: number): Promise<void> {
    const nameOf = (path: string): string => relative(project, path).replaceAll(sep, '/');
    const tracked = new Set(paths.filter((path) => changed.get(nameOf(path)) === false));
    for (const path of paths) {
      if (tracked.has(path)) continue;
      const found = await lstat(path).catch(() => null);
      // An older file was there before, and is not ignored any more.
      if (found !== null && found.ctimeMs >= since - CLOCKS_DIFFER_MS) remember(path, null);
    }
    const entries = (await index?.entries([...tracked].map(nameOf))) ?? new Map<string, Entry>();
    const contents = await index?.read([...entries.values()].filter(({ size }) => size <= LARGEST_BYTES));
    for (const path of tracked) {
      const entry = entries.get(nameOf(path));
      const content = entry === undefined ? undefined : contents?.get(entry.digest);
      if (entry === undefined || content === undefined) remember(path, 'not kept');
      else if (entry.mode === LINK) remember(path, { link: Buffer.from(content).toString() });
      else remember(path, await objects.keepContent(content, await modeOf(path, entry)));
    }
  }

  return {
    async begin(turn) {
      number = turn;
      before = new Map();
      [earlier, running] = [null, 0];
      undone.length = 0;
    },
    async beforeWrite(path) {
      hasCopied = true;
      if (!before.has(path)) remember(path, await objects.keep(path));
    },
    async beforeCommand() {
      hasCopied = true;
      running += 1;
      // Commands of sub-agents overlap: the look of the first of them counts for all.
      earlier ??= lookBefore();
      await earlier;
    },
    async afterCommand() {
      running -= 1;
      const before = await earlier;
      if (running === 0) earlier = null;
      if (before !== null) await rememberChanges(before);
    },
    async end() {
      const files = new Map<string, { readonly before: Kept; readonly after: Kept }>();
      for (const [path, kept] of before) {
        const after = await objects.keep(path);
        if (!isSame(kept, after)) files.set(path, { before: kept, after });
      }
      before = new Map();
      if (hasCopied && !pruned) {
        pruned = true;
        await objects.prune();
      }
      if (files.size === 0) return;
      done.push({ turn: number, files });
    },
    undo: (turn) => move(turn, done, undone, 'before', 'after'),
    redo: (turn) => move(turn, undone, done, 'after', 'before'),
  };

  async function move(
    number: number,
    from: Turn[],
    to: Turn[],
    wanted: 'before' | 'after',
    expected: 'before' | 'after',
  ): Promise<Restored | null> {
    const turn = from.at(-1);
    if (turn?.turn !== number) return null;
    from.pop();
    const conflicts: string[] = [];
    const untouched: [string, Kept][] = [];
    for (const [path, states] of turn.files) {
      if (isSame(await objects.keep(path), states[expected])) untouched.push([path, states[wanted]]);
      else conflicts.push(relative(project, path));
    }
    const files: string[] = [];
    // First what is removed: a file may be in the place of a folder, and a folder in the place of a file.
    for (const [path, kept] of untouched.toSorted(
      (one, other) => Number(one[1] !== null) - Number(other[1] !== null),
    )) {
      const restored = await objects.restore(path, kept).catch(() => false);
      (restored ? files : conflicts).push(relative(project, path));
    }
    to.push(turn);
    return { turn: turn.turn, files: files.toSorted(), conflicts: conflicts.toSorted() };
  }
}

/** The rights that a file had: git knows only whether it could be run. */
async function modeOf(path: string, { mode }: Entry): Promise<number> {
  const isProgram = mode === '100755';
  const found = await lstat(path).catch(() => null);
  const plain = found?.isFile() === true ? found.mode & 0o666 : 0o666 & ~process.umask();
  return isProgram ? plain | ((plain & 0o444) >> 2) : plain;
}

const MOST_BYTES = 256 * 1024 * 1024;
/** Of a larger number of changed files, all entries of the index are listed at once. */
const MOST_NAMES = 500;
const PREFIX = 'index-';
const OLD_MS = 7 * 24 * 3_600_000;
/** Bytes of contents that are read at once. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** A file as the index has it. */
interface Entry {
  /** As git writes it: `100755`, `120000` for a link. */
  readonly mode: string;
  readonly digest: string;
  /** Of the file in the work tree, which may differ from that of the content. */
  readonly size: number;
}

/** Files that are not as the index has them, by their names; true where git does not know them. */
type Changed = ReadonlyMap<string, boolean>;

/** Git's index as it was when it was taken: what a file held that has not been changed since. */
interface GitIndex {
  /** Takes the index as it is now. Null where git cannot say what has changed. */
  take(): Promise<Changed | null>;
  /** What differs now from the index that was taken. */
  look(): Promise<Changed | null>;
  entries(names: readonly string[]): Promise<ReadonlyMap<string, Entry>>;
  /** The contents of entries by their digests, without those that git does not have or converts. */
  read(entries: readonly Entry[]): Promise<ReadonlyMap<string, Uint8Array>>;
}

/** @param directory where a copy of the index is kept: the repository's own is never written */
export function createGitIndex(project: string, directory: string, environment: Environment): GitIndex {
  const copy = join(directory, `${PREFIX}${randomUUID()}`);
  let opened: Promise<{ readonly index: string; readonly filters: Readonly<Record<string, string>> } | null> | null =
    null;
  let stamp = '';

  async function open() {
    const ask = (args: readonly string[]) => askGit('git', args, environment, { directory: project });
    const [paths, filters] = await Promise.all([
      ask(['rev-parse', '--path-format=absolute', '--show-toplevel', '--git-path', 'index']),
      withoutFilters('git', environment, project),
    ]);
    const [top, index] = paths.output.trim().split('\n');
    if (paths.code !== 0 || filters === null || top !== project || index === undefined) return null;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await removeOld(directory);
    return { index, filters };
  }

  const ask = (args: readonly string[], filters: Readonly<Record<string, string>>) =>
    askGit('git', args, environment, {
      directory: project,
      // The copy may be written: what was found out about files is not found out again.
      variables: { ...filters, GIT_INDEX_FILE: copy, GIT_OPTIONAL_LOCKS: '1' },
      maxBytes: MOST_BYTES,
    });

  async function look(): Promise<Changed | null> {
    const found = await (opened ??= open());
    if (found === null) return null;
    const { code, output, cut } = await ask(STATUS, found.filters);
    if (code !== 0 || cut) return null;
    const changed = output.split('\0').flatMap((entry): [string, boolean][] => {
      const [, how = '', name = ''] = /^(?:.(.)) (.*)$/s.exec(entry) ?? [];
      return name === '' || how === ' ' || how === '!' || name.endsWith('/') ? [] : [[name, how === '?']];
    });
    return new Map(changed);
  }

  return {
    async take() {
      const found = await (opened ??= open());
      if (found === null) return null;
      const now = await stat(found.index).catch(() => null);
      const seen = now === null ? 'absent' : `${now.ino} ${now.size} ${now.mtimeMs}`;
      if (seen !== stamp) {
        await rm(copy, { force: true });
        if (now !== null) {
          await copyFile(found.index, copy);
          // Git mistrusts entries that are as new as their index: a later time would hide a change.
          await utimes(copy, now.atime, Math.floor(now.mtimeMs) / 1000);
        }
        stamp = seen;
      }
      return look();
    },
    look,
    async entries(names) {
      const found = await (opened ??= open());
      if (found === null || names.length === 0) return new Map();
      const args = ['--literal-pathspecs', 'ls-files', '-z', '--stage', '--debug'];
      const wanted = new Set(names);
      const { output } = await ask(names.length > MOST_NAMES ? args : [...args, '--', ...names], found.filters);
      const entries = new Map<string, Entry>();
      for (const [, mode = '', digest = '', name = '', size = ''] of output.matchAll(ENTRY))
        if (wanted.has(name)) entries.set(name, { mode, digest, size: Number(size) });
      return entries;
    },
    async read(entries) {
      const contents = new Map<string, Uint8Array>();
      const variables = {
        ...Object.fromEntries(environment.variables),
        PATH: absolutePath(environment),
        GIT_NO_LAZY_FETCH: '1',
        GIT_ALLOW_PROTOCOL: 'none',
      };
      for (const some of batchesOf(entries)) {
        const output = await catFiles(project, variables, some);
        for (const [at, { size, digest }] of some.entries()) {
          const content = output[at];
          // Of another size, git converts it: the work tree had other line ends, or a file instead of a pointer to it.
          if (content?.length === size) contents.set(digest, content);
        }
      }
      return contents;
    },
  };
}

const STATUS = [
  '-c',
  'core.untrackedCache=true',
  '-c',
  'status.showUntrackedFiles=all',
  'status',
  '--porcelain',
  '-z',
  '--no-renames',
  '--ignore-submodules=all',
];
const ENTRY = /(\d{6}) ([0-9a-f]+) 0\t([^\0]*)\0[^\0]*?size: (\d+)/g;

/** Copies of sessions that have ended. */
async function removeOld(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(PREFIX)) continue;
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found !== null && Date.now() - found.ctimeMs > OLD_MS) await rm(path, { force: true });
  }
}

function* batchesOf(entries: readonly Entry[]): Generator<readonly Entry[]> {
  let batch: Entry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (batch.length > 0 && bytes + entry.size > BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(entry);
    bytes += entry.size;
  }
  if (batch.length > 0) yield batch;
}

/** The contents in the order of the entries; null where there is none. */
function catFiles(
  cwd: string,
  env: Readonly<Record<string, string>>,
  entries: readonly Entry[],
): Promise<readonly (Uint8Array | null)[]> {
  return new Promise((resolve) => {
    const options = { cwd, env, encoding: 'buffer', maxBuffer: MOST_BYTES, timeout: 60_000 } as const;
    const child = execFile('git', ['cat-file', '--batch'], options, (_, output) => {
      let at = 0;
      resolve(
        entries.map(() => {
          const end = output.indexOf('\n', at);
          const size = Number(/ blob (\d+)$/.exec(output.toString('latin1', at, Math.max(at, end)))?.[1] ?? Number.NaN);
          const begin = end + 1;
          at = Number.isNaN(size) ? begin : begin + size + 1;
          return end < 0 || Number.isNaN(size) ? null : output.subarray(begin, begin + size);
        }),
      );
    });
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(entries.map(({ digest }) => `${digest}\n`).join(''));
  });
}

import { lstat, readdir } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Restored, Snapshots } from '../agent/types/index.ts';
import { listFiles } from '../process/ask-git.ts';
import type { Changed, Entry, GitIndex } from './git-index.ts';
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

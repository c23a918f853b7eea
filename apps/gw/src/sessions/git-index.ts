import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { absolutePath, askGit, withoutFilters } from '../process/ask-git.ts';
import type { Environment } from '../process/environment.ts';

const MOST_BYTES = 256 * 1024 * 1024;
/** Of a larger number of changed files, all entries of the index are listed at once. */
const MOST_NAMES = 500;
const PREFIX = 'index-';
const OLD_MS = 7 * 24 * 3_600_000;
/** Bytes of contents that are read at once. */
const BATCH_BYTES = 32 * 1024 * 1024;

/** A file as the index has it. */
export interface Entry {
  /** As git writes it: `100755`, `120000` for a link. */
  readonly mode: string;
  readonly digest: string;
  /** Of the file in the work tree, which may differ from that of the content. */
  readonly size: number;
}

/** Files that are not as the index has them, by their names; true where git does not know them. */
export type Changed = ReadonlyMap<string, boolean>;

/** Git's index as it was when it was taken: what a file held that has not been changed since. */
export interface GitIndex {
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

import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../programs/ask-git.ts';

/** Files that a look at the project takes in: in a larger one, changes of commands beyond them are not undone. */
const MOST_FILES = 20_000;
const PASSED_OVER = new Set(['.git', 'node_modules']);

/** The stamp that shows a change of a file without reading it, by absolute path. */
export type Look = ReadonlyMap<string, string>;
/** The stamp of a path at which there is no file. */
const ABSENT = 'absent';

/** The files of the project that git does not ignore; without git, all but `node_modules`. Git's own state is left out. */
export async function lookAtProject(project: string): Promise<Look> {
  const look = await lookAt(project, (await gitFiles(project)) ?? (await walk(project)));
  return new Map([...look].filter(([, mark]) => mark !== ABSENT));
}

/** The stamps of some files of the project. */
export async function lookAt(project: string, names: Iterable<string>): Promise<Look> {
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

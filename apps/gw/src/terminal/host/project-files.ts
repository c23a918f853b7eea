import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles } from '../../programs/ask-git.ts';

const MOST = 50_000;
const SKIPPED = new Set(['node_modules', '.git', 'dist', 'target', '.venv', '__pycache__']);

/** Paths of the project: the files on disk that git tracks or would track; without git, a walk that leaves out the usual folders. */
export async function projectFiles(project: string): Promise<readonly string[]> {
  return (await listWithGit(project)) ?? (await walk(project));
}

async function listWithGit(project: string): Promise<readonly string[] | null> {
  const [all, deleted] = await Promise.all([
    listFiles(project, '--cached', '--others', '--exclude-standard'),
    listFiles(project, '--deleted'),
  ]);
  if (all === null || deleted === null) return null;
  const gone = new Set(deleted);
  return [...new Set(all)].filter((name) => !gone.has(name)).slice(0, MOST);
}

async function walk(project: string): Promise<readonly string[]> {
  const found: string[] = [];
  const folders = [''];
  for (let folder = folders.shift(); folder !== undefined && found.length < MOST; folder = folders.shift()) {
    const entries = await readdir(join(project, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) folders.push(name);
      } else if (entry.isFile()) found.push(name);
    }
  }
  return found;
}

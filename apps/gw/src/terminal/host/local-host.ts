import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listFiles } from '../../programs/ask-git.ts';
import type { Host } from '../device/ports.ts';
import { createHistoryStore } from './history-store.ts';
import { clipboardImage, imageOf } from './images.ts';
import { runShell } from './user-shell.ts';

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

/**
 * Opens the user's editor on a text, in this terminal, and gives the text as it was saved. Null where no editor is
 * configured or it failed.
 * @param editor `VISUAL` or `EDITOR`: a program with its options, which the shell reads.
 */
async function externalEditor(text: string, editor: string | null, cwd: string): Promise<string | null> {
  if (editor === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-message-'));
  const file = join(folder, 'message.md');
  try {
    await writeFile(file, text, { mode: 0o600 });
    const code = await new Promise<number | null>((resolve, reject) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$1"`, 'sh', file], { cwd, stdio: 'inherit' });
      child.once('error', reject).once('close', resolve);
    });
    return code === 0 ? await readFile(file, 'utf8') : null;
  } catch {
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface LocalOptions {
  /** Root of the project, once it is known. */
  readonly project: () => string;
  /** Where relative paths begin. */
  readonly cwd: string;
  readonly home: string | null;
  readonly variables: ReadonlyMap<string, string>;
}

/** The part of the host that reaches this machine and no session. */
export function createLocalHost({
  project,
  cwd,
  home,
  variables,
}: LocalOptions): Pick<
  Host,
  'files' | 'shell' | 'image' | 'clipboardImage' | 'externalEditor' | 'history' | 'project' | 'home'
> {
  return {
    get project() {
      return project();
    },
    home,
    files: () => projectFiles(project()),
    shell: (command, output, signal) =>
      runShell({ command, cwd, shell: variables.get('SHELL') ?? '/bin/sh' }, output, signal),
    image: (path) => imageOf(path),
    clipboardImage: () => clipboardImage(variables),
    externalEditor: (text) => externalEditor(text, variables.get('VISUAL') ?? variables.get('EDITOR') ?? null, cwd),
    history: createHistoryStore(home === null ? null : join(home, '.gateway', 'history.jsonl')),
  };
}

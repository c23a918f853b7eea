import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { askGit, withoutFilters } from '../programs/ask-git.ts';
import { findProgram } from '../programs/on-path.ts';

const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--ignore-submodules=dirty'];
const BASES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * The changes of the working tree since the merge base with the main branch, including untracked files. Null without a
 * repository. No program of the repository runs. Git's index does not change: new files are added to a copy of it.
 */
export async function diffOf(environment: Environment, directory: string): Promise<string | null> {
  const git = await findProgram('git', environment);
  if (git === null) return null;
  const noFilters = await withoutFilters(git, environment, directory);
  if (noFilters === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-diff-'));
  const index = join(folder, 'index');
  const ask = async (...args: readonly string[]): Promise<string | null> => {
    const variables = { ...noFilters, GIT_INDEX_FILE: index };
    const { code, output } = await askGit(git, ['-c', 'core.quotePath=false', ...args], environment, {
      directory,
      variables,
    });
    return code === 0 ? output : null;
  };
  try {
    const own = await askGit(git, ['rev-parse', '--git-path', 'index'], environment, { directory });
    if (own.code !== 0) return null;
    await copyIndex(join(directory, own.output.trim()), index).catch(() => undefined); // none before the first commit
    await ask('add', '--intent-to-add', '--all', '--', '.');
    // What changed inside a submodule is asked of git there, with the submodule's settings.
    return await ask('diff', ...PLAIN, await baseOf(ask), '--');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Keeps the time: git reads files again that changed in the second in which the index was written. */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { atime, mtime } = await stat(from);
  await utimes(to, atime, mtime);
}

async function baseOf(ask: (...args: readonly string[]) => Promise<string | null>): Promise<string> {
  for (const base of BASES) {
    const found = await ask('merge-base', 'HEAD', base);
    if (found !== null) return found.trim();
  }
  return (await ask('rev-parse', '--verify', 'HEAD'))?.trim() ?? EMPTY_TREE;
}

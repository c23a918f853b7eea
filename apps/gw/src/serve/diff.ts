import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { askProgram } from '../programs/ask-program.ts';
import { findProgram } from '../programs/on-path.ts';

/** Nothing that the repository names is run, and nothing is written into it. */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=false'];
const BASES = ['origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];
const EMPTY_TREE = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/**
 * What the working tree holds beyond the merge base with the main branch, files that git does not know included. Null
 * where there is no repository. Git's index stays as it is: a copy of it learns of the new files.
 */
export async function diffOf(environment: Environment, directory: string): Promise<string | null> {
  const git = await findProgram('git', environment);
  if (git === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'gw-diff-'));
  const variables = { GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_INDEX_FILE: join(folder, 'index') };
  const ask = async (...words: readonly string[]): Promise<string | null> => {
    const { code, output } = await askProgram(git, [...SAFE, ...words], environment, { directory, variables });
    return code === 0 ? output : null;
  };
  try {
    const own = await askProgram(git, [...SAFE, 'rev-parse', '--git-path', 'index'], environment, { directory });
    if (own.code !== 0) return null;
    await copyFile(join(directory, own.output.trim()), variables.GIT_INDEX_FILE).catch(() => undefined); // none before the first commit
    await ask('add', '--intent-to-add', '--all', '--', '.');
    return await ask('diff', '--no-ext-diff', '--no-textconv', '--no-color', await baseOf(ask), '--');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function baseOf(ask: (...words: readonly string[]) => Promise<string | null>): Promise<string> {
  for (const base of BASES) {
    const found = await ask('merge-base', 'HEAD', base);
    if (found !== null) return found.trim();
  }
  return (await ask('rev-parse', '--verify', 'HEAD'))?.trim() ?? EMPTY_TREE;
}

import type { Environment } from '../process/environment.ts';
import { askGit, withoutFilters } from './ask-git.ts';

/** What a repository says about itself. */
export interface Repository {
  /** Null where no branch is checked out. */
  readonly branch: string | null;
  /** Files that differ from the last commit, untracked ones included. */
  readonly changes: number;
  /** There are more changes than were counted. */
  readonly more: boolean;
}

const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=all'];

/** Asks git about the repository of a directory; null where git refuses or does not answer. */
export async function askRepository(
  git: string,
  directory: string,
  environment: Environment,
): Promise<Repository | null> {
  const ask = (args: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    askGit(git, args, environment, { directory, variables });
  const noFilters = await withoutFilters(git, environment, directory);
  if (noFilters === null) return null;
  const { code, output, cut } = await ask(STATUS, noFilters);
  if (code !== 0 && !cut) return null;
  const entries = output.split('\0');
  const branch = entries.find((entry) => entry.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? null;
  // What follows a renamed file is the name it had.
  const changes = entries.filter((entry, at) => /^[12u?] /.test(entry) && !entries[at - 1]?.startsWith('2 ')).length;
  return { branch: branch === '(detached)' ? null : branch, changes, more: cut };
}

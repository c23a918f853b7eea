import type { Environment } from '../process/environment.ts';
import { askGit } from './ask-git.ts';

/** What a repository says about itself. */
export interface Repository {
  /** Null where no branch is checked out. */
  readonly branch: string | null;
  /** Files that differ from the last commit, untracked ones included. */
  readonly changes: number;
  /** There are more changes than were counted. */
  readonly more: boolean;
}

const FILTERS = '^filter\\..*\\.(clean|process|required)$';
const STATUS = ['status', '--porcelain=v2', '--branch', '-z', '--untracked-files=normal', '--ignore-submodules=all'];

/** Asks git about the repository of a directory; null where git refuses or does not answer. */
export async function askRepository(
  git: string,
  directory: string,
  environment: Environment,
): Promise<Repository | null> {
  const ask = (words: readonly string[], variables: Readonly<Record<string, string>> = {}) =>
    askGit(git, words, environment, { directory, variables });
  const filters = await ask(['config', '--name-only', '-z', '--get-regexp', FILTERS]);
  // A filter that the list leaves out would run. 1 says that there is none.
  if (filters.cut || (filters.code !== 0 && filters.code !== 1)) return null;
  const { code, output, cut } = await ask(STATUS, without(filters.output.split('\0')));
  if (code !== 0 && !cut) return null;
  const entries = output.split('\0');
  const branch = entries.find((entry) => entry.startsWith('# branch.head '))?.slice('# branch.head '.length) ?? null;
  // What follows a renamed file is the name it had.
  const changes = entries.filter((entry, at) => /^[12u?] /.test(entry) && !entries[at - 1]?.startsWith('2 ')).length;
  return { branch: branch === '(detached)' ? null : branch, changes, more: cut };
}

/**
 * Empties settings, given as variables, for a name may hold what `-c` would take for its end. Filters are programs that
 * `status` runs over changed files; without them a file that is kept elsewhere (LFS) may count as changed.
 */
function without(names: readonly string[]): Readonly<Record<string, string>> {
  const set = names.filter((name) => name !== '');
  const pairs = set.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, name] as const,
    [`GIT_CONFIG_VALUE_${at}`, ''] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(set.length), ...Object.fromEntries(pairs) };
}

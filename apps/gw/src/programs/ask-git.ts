import { type Environment, readEnvironment } from '../process/environment.ts';
import { askProgram, type ProgramOutput } from './ask-program.ts';

/**
 * Settings under which git runs nothing that the repository names, and asks no network: no hooks, no file system monitor,
 * no fetching of what a partial clone lacks.
 */
const SAFE = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.untrackedCache=false'];
const OFFLINE = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
};
const FILTERS = '^filter\\..*\\.(clean|process|required)$';

/** Asks git something about a repository, without running anything that the repository names. Never throws. */
export function askGit(
  git: string,
  args: readonly string[],
  environment: Environment,
  options: NonNullable<Parameters<typeof askProgram>[3]>,
): Promise<ProgramOutput> {
  const variables = { ...OFFLINE, ...options.variables };
  return askProgram(git, [...SAFE, ...args], environment, { ...options, variables });
}

const LISTING_BYTES = 64 * 1024 * 1024;

/** Paths of files as `git ls-files` lists them; null without a repository. */
export async function listFiles(project: string, ...which: readonly string[]): Promise<readonly string[] | null> {
  const options = { directory: project, maxBytes: LISTING_BYTES };
  const { code, output } = await askGit('git', ['ls-files', ...which, '-z'], readEnvironment(), options);
  return code === 0 ? output.split('\0').filter((name) => name !== '') : null;
}

/**
 * Variables that disable the filters of a repository: programs that git runs over changed files. They are variables because a
 * name may contain a character that ends it in `-c`. Without filters, an LFS file may count as changed.
 * @returns null if git does not list them all, so that one would run.
 */
export async function withoutFilters(
  git: string,
  environment: Environment,
  directory: string,
): Promise<Readonly<Record<string, string>> | null> {
  const args = ['config', '--name-only', '-z', '--get-regexp', FILTERS];
  const { code, output, cut } = await askGit(git, args, environment, { directory });
  if (cut || (code !== 0 && code !== 1)) return null; // 1: there is none
  const names = output.split('\0').filter((name) => name !== '');
  const pairs = names.flatMap((name, at) => [
    [`GIT_CONFIG_KEY_${at}`, name] as const,
    [`GIT_CONFIG_VALUE_${at}`, ''] as const,
  ]);
  return { GIT_CONFIG_COUNT: String(names.length), ...Object.fromEntries(pairs) };
}

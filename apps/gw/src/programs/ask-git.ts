import type { Environment } from '../process/environment.ts';
import { type Answer, askProgram } from './ask-program.ts';

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
/** Asks git something about a repository, without running anything that the repository names. Never throws. */
export function askGit(
  git: string,
  words: readonly string[],
  environment: Environment,
  options: NonNullable<Parameters<typeof askProgram>[3]>,
): Promise<Answer> {
  const variables = { ...OFFLINE, ...options.variables };
  return askProgram(git, [...SAFE, ...words], environment, { ...options, variables });
}

import type { Environment } from '../../process/environment.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { askGit, withoutFilters } from '../../programs/ask-git.ts';
import { findProgram } from '../../programs/on-path.ts';
import type { Project } from '../../project/project.ts';

/** Refs that are tried as the main branch if none is named, in this order. */
const MAIN = ['refs/remotes/origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

/**
 * Paths that differ from the merge base with a ref: commits of this branch, the work tree, and files git does not track.
 * @param baseRef null takes the main branch. Throws `WrongUsage` where the ref does not exist.
 */
export async function findChangedFiles(
  project: Project,
  environment: Environment,
  baseRef: string | null,
): Promise<readonly string[]> {
  const git = await findProgram('git', environment);
  if (!project.repository || git === null) {
    throw new WrongUsage(`--pr needs a git repository${git === null ? ' and the program git' : ''}.`);
  }
  const { directory } = project;
  const variables = await withoutFilters(git, environment, directory);
  if (variables === null) throw new CommandFailed('git config failed. Run it yourself: git config --list');
  const ask = (...args: readonly string[]) => askGit(git, args, environment, { directory, variables });
  const paths = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { code, output } = await ask(...args);
    if (code !== 0) throw new CommandFailed(`git ${args[0]} failed. Run it yourself: git ${args.join(' ')}`);
    return output.split('\0').filter((path) => path !== '');
  };
  const base = await baseCommit(ask, baseRef);
  const plain = ['--no-renames', '--relative', '--no-ext-diff', '--ignore-submodules=dirty'];
  const changed = await paths('diff', '--name-only', '-z', ...plain, base, '--');
  return [...new Set([...changed, ...(await paths('ls-files', '-z', '--others', '--exclude-standard'))])];
}

async function baseCommit(
  ask: (...args: string[]) => Promise<{ code: number | null; output: string }>,
  wanted: string | null,
) {
  for (const ref of wanted === null ? MAIN : [wanted]) {
    const { code } = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    if (code !== 0) continue;
    const merge = await ask('merge-base', '--end-of-options', ref, 'HEAD');
    return merge.code === 0 ? merge.output.trim() : ref;
  }
  throw new WrongUsage(
    wanted === null
      ? '--pr: this repository has no main branch to compare with. Name it with --base-ref <ref>.'
      : `--base-ref: there is no commit ${JSON.stringify(wanted)}. Fetch it, or name another ref.`,
  );
}

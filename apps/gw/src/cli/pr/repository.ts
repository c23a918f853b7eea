import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import type { Git } from './git.ts';

/** What the request is made of and for. */
export interface Base {
  /** Name of the branch on the remote. */
  readonly branch: string;
  /** Commit that the work started from. */
  readonly commit: string;
}

/** The base branch, here or on the remote. Throws `WrongUsage` where there is none of that name. */
export async function findBase(git: Git, name: string): Promise<Base> {
  const branch = name.replace(/^(refs\/heads\/|origin\/)/, '');
  for (const ref of [`refs/remotes/origin/${branch}`, `refs/heads/${branch}`]) {
    const commit = await git.try('merge-base', '--end-of-options', ref, 'HEAD');
    if (commit !== null) return { branch, commit: commit.trim() };
  }
  throw new WrongUsage(`--base-branch: there is no branch ${name} here or on origin. Fetch it, or name another one.`);
}

/** Throws `CommandFailed` in the middle of a merge or rebase, whose state a restored work tree would not have. */
export async function refuseUnfinished(git: Git): Promise<void> {
  for (const [ref, what] of [
    ['MERGE_HEAD', 'merge'],
    ['REBASE_HEAD', 'rebase'],
    ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ] as const) {
    if ((await git.try('rev-parse', '--verify', '--quiet', ref)) !== null) {
      throw new CommandFailed(`A ${what} is in progress here. Finish it or abort it first.`);
    }
  }
}

/** Branches that nothing is ever pushed to: the base, and what the remote calls its main branch. */
export async function readProtectedBranches(git: Git, base: Base): Promise<ReadonlySet<string>> {
  const main = (await git.try('symbolic-ref', '--short', 'refs/remotes/origin/HEAD'))?.trim().replace(/^origin\//, '');
  return new Set([base.branch, 'main', 'master', ...(main === undefined ? [] : [main])]);
}

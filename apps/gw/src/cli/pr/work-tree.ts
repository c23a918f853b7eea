import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Git } from './git.ts';

/** The branch, the index and every file that git does not ignore, as they were. */
export interface SavedWorkTree {
  /** Null where no branch was checked out. */
  readonly branch: string | null;
  readonly commit: string;
  /** Tree of the index. */
  readonly index: string;
  /** Tree of the files, untracked ones included. */
  readonly files: string;
}

export async function saveWorkTree(git: Git): Promise<SavedWorkTree> {
  const branch = await git.try('symbolic-ref', '--quiet', '--short', 'HEAD');
  return {
    branch: branch === null ? null : branch.trim(),
    commit: (await git('rev-parse', 'HEAD')).trim(),
    index: (await git('write-tree')).trim(),
    files: await treeOfFiles(git),
  };
}

/** A tree of every file that git does not ignore, made in a separate index: the user's does not change. */
export async function treeOfFiles(git: Git): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gw-pr-'));
  try {
    const own = { GIT_INDEX_FILE: join(folder, 'index') };
    await git.with(own, 'read-tree', 'HEAD');
    await git.with(own, 'add', '--all');
    return (await git.with(own, 'write-tree')).trim();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Brings back branch, index and files. A branch that was made since keeps its commits, but is no longer checked out. */
export async function restoreWorkTree(git: Git, saved: SavedWorkTree): Promise<void> {
  const now = await treeOfFiles(git);
  if (now !== saved.files) {
    // From what is there to what was there: files that came since are removed, others are written back.
    await git('read-tree', now);
    await git('read-tree', '-u', '--reset', saved.files);
  }
  await restoreHead(git, saved);
}

/** Restores branch and index, and does not touch the files. */
export async function restoreHead(git: Git, saved: SavedWorkTree): Promise<void> {
  if (saved.branch === null) await git('update-ref', '--no-deref', 'HEAD', saved.commit);
  else await git('symbolic-ref', 'HEAD', `refs/heads/${saved.branch}`);
  await git('read-tree', saved.index);
}

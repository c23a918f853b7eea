import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Where the instructions and settings of what a person works on are looked for. */
export interface Project {
  readonly directory: string;
  /** Whether a repository begins there. */
  readonly repository: boolean;
  /** The repository belongs to somebody else, who could put instructions and commands into it: nothing of it is read. */
  readonly foreign: boolean;
}

/**
 * The project of a directory: the repository it lies in, else the directory alone. Directories above are not searched
 * for `.gateway` without a repository, for `/tmp/.gateway` would then be everybody's.
 */
export async function findProject(directory: string, userId: number | null): Promise<Project> {
  for (let at = directory; ; at = dirname(at)) {
    const mark = await lstat(join(at, '.git')).catch(() => null);
    if (mark !== null) {
      const owner = (await lstat(at).catch(() => null))?.uid ?? mark.uid;
      const foreign = userId !== null && [owner, mark.uid].some((uid) => uid !== userId && uid !== 0);
      return { directory: at, repository: true, foreign };
    }
    if (dirname(at) === at) return { directory, repository: false, foreign: false };
  }
}

/** Whether a path, links followed, lies in a directory; also where it leads nowhere. */
export async function staysWithin(directory: string, path: string): Promise<boolean> {
  const [root, target] = await Promise.all([realpath(directory), realpath(path)].map((each) => each.catch(() => null)));
  if (root == null || target == null) return true;
  const way = relative(root, target);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

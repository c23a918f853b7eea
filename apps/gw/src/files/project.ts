import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';

/** Where the instructions and settings of what a person works on are looked for. */
export interface Project {
  readonly directory: string;
  /** Whether a repository begins there. */
  readonly repository: boolean;
  /** The repository belongs to another user, who could put instructions and commands into it: nothing of it is read. */
  readonly foreign: boolean;
}

/**
 * The project of a directory: its repository, else the directory itself. Without a repository, parent directories are not
 * searched for `.gateway`: `/tmp/.gateway` would apply to all users.
 */
export async function findProject(directory: string, userId: number | null): Promise<Project> {
  for (let at = directory; ; at = dirname(at)) {
    const mark = statOrNull(join(at, '.git'));
    if (mark !== null) {
      const owner = statOrNull(at)?.uid ?? mark.uid;
      const foreign = userId !== null && [owner, mark.uid].some((uid) => uid !== userId && uid !== 0);
      return { directory: at, repository: true, foreign };
    }
    if (dirname(at) === at) return { directory, repository: false, foreign: false };
  }
}

/** Whether a path, with links resolved, is in a directory; also if it does not exist. */
export async function staysWithin(directory: string, path: string): Promise<boolean> {
  const [root, target] = [realPath(directory), realPath(path)];
  if (root === null || target === null) return true;
  const way = relative(root, target);
  return !isAbsolute(way) && way !== '..' && !way.startsWith(`..${sep}`);
}

function statOrNull(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null;
  } catch {
    return null;
  }
}

function realPath(path: string): string | null {
  try {
    // A missing path is common, and an exception costs more than this check.
    return statOrNull(path) === null ? null : realpathSync.native(path);
  } catch {
    return null;
  }
}

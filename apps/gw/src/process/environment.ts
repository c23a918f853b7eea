import { homedir, userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/** What the client takes from the world around it. */
export interface Environment {
  /** Environment variables; an empty value counts as absent. */
  readonly variables: ReadonlyMap<string, string>;
  /** Null where the user has none, one that no whole path names, or `/`: nothing of theirs would be told from the rest. */
  readonly homeDirectory: string | null;
  /** Null where the directory that the program was started in is gone. */
  readonly workingDirectory: string | null;
  /** Known so that it can be left out of what is written. Null where the system has no name for the user. */
  readonly userName: string | null;
  /** Number of the user; null on systems that number none. */
  readonly userId: number | null;
}

export function readEnvironment(): Environment {
  const entries = Object.entries(process.env).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const home = orNull(homedir);
  return {
    variables: new Map(entries),
    homeDirectory: home !== null && isAbsolute(home) && home !== '/' ? home : null,
    workingDirectory: orNull(() => process.cwd()),
    userName: orNull(() => userInfo().username),
    userId: process.getuid?.() ?? null,
  };
}

/**
 * A path that the person wrote, from the directory in which they stand; as it is where that directory is gone, so that
 * anybody who opens it sees it that nothing is there.
 */
export function pathFrom({ workingDirectory }: Pick<Environment, 'workingDirectory'>, path: string): string {
  return workingDirectory === null ? path : resolve(workingDirectory, path);
}

function orNull(read: () => string): string | null {
  try {
    return read() || null;
  } catch {
    return null;
  }
}

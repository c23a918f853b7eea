import { homedir, userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/** What the client takes from the world around it. */
export interface Environment {
  /** Environment variables; an empty value counts as absent. */
  readonly variables: ReadonlyMap<string, string>;
  /** Null if it is unset, not absolute, or `/`: then the user's files could not be distinguished from others. */
  readonly homeDirectory: string | null;
  /** Null if the working directory was deleted. */
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
 * Resolves a path that the user wrote against the working directory. Unchanged if that was deleted, so that opening it fails.
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

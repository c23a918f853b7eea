import { readFileSync } from 'node:fs';
import type { Environment } from '../process/environment.ts';

/**
 * A path with `~` or `~user` at its beginning replaced by that home directory, as a shell does. Where there is no such user the
 * path stays: `~backup` may be the name of a file.
 * @param home of the user of the program; null leaves `~` unchanged.
 */
export function expandHome(path: string, home: string | null): string {
  const [, user, rest = ''] = /^~([^/]*)(\/.*)?$/s.exec(path) ?? [];
  if (user === undefined) return path;
  const directory = user === '' ? home : homeOf(user);
  return directory === null ? path : `${directory}${rest}`;
}

/** The home directory of a user of this machine; null where it has none of this name. */
function homeOf(user: string): string | null {
  let users: string;
  try {
    users = readFileSync('/etc/passwd', 'utf8');
  } catch {
    return null; // a system without the file
  }
  const entry = users.split('\n').find((line) => line.startsWith(`${user}:`));
  const directory = entry?.split(':')[5];
  return directory === undefined || !directory.startsWith('/') ? null : directory;
}

/** A path as people write it: `~` for the home directory. */
export function abbreviatePath({ homeDirectory }: Environment, path: string): string {
  return homeDirectory !== null && path.startsWith(`${homeDirectory}/`) ? `~${path.slice(homeDirectory.length)}` : path;
}

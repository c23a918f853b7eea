import { type Dirent, readFileSync, type Stats, statSync } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { sep } from 'node:path';
import type { Environment } from '../process/environment.ts';
import { type Unread, unreadBy } from './reading.ts';

/** Entries of a directory that are looked at. */
const MOST = 1000;

/** An entry of a directory. */
export interface Entry {
  /** Its name; bytes that are not UTF-8 are written `\xhh`. */
  readonly name: string;
  /** Whether the name is UTF-8, so that it can be asked for by it. */
  readonly nameable: boolean;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Null if it was deleted before it was read. */
  readonly stats: Stats | null;
}

export type Listing =
  | { readonly state: 'read'; readonly self: Stats; readonly entries: readonly Entry[]; readonly more: boolean }
  | { readonly state: Unread };

/** The first thousand entries of a directory by name, links not followed. Never throws. */
export async function listDirectory(path: string): Promise<Listing> {
  const entries: Entry[] = [];
  let more = false;
  let self: Stats;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) return { state: 'absent' };
    self = found;
    if (!self.isDirectory()) return { state: 'not a directory' };
    // The type of the entries does not follow the encoding.
    for await (const entry of (await opendir(path, { encoding: 'buffer' as 'utf8' })) as AsyncIterable<unknown>) {
      more = entries.length === MOST;
      if (more) break;
      entries.push(await entryOf(path, entry as Dirent<Buffer>));
    }
  } catch (error) {
    return { state: unreadBy(error) };
  }
  return { state: 'read', self, entries: entries.sort((one, other) => (one.name < other.name ? -1 : 1)), more };
}

async function entryOf(path: string, { name: bytes }: Dirent<Buffer>): Promise<Entry> {
  const name = bytes.toString('utf8');
  const nameable = Buffer.from(name).equals(bytes);
  const stats = await lstat(Buffer.concat([Buffer.from(path + sep), bytes])).catch(() => null);
  const kind = stats?.isFile()
    ? 'file'
    : stats?.isDirectory()
      ? 'directory'
      : stats?.isSymbolicLink()
        ? 'link'
        : 'other';
  return { name: nameable ? name : decodeName(bytes), nameable, kind, stats };
}

function decodeName(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
}

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

import { randomUUID } from 'node:crypto';
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, type Stats, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** The disk may take long; what else is done here takes microseconds, and is synchronous. */
const flush = promisify(fsync);

/** A folder that only its owner reads, with the folders above it. */
export async function ownFolder(path: string): Promise<void> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file as a whole: after a crash there is the old content or the new one. Only the owner can read it (0600).
 * The folder must exist.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    const file = openSync(aside, 'wx', 0o600);
    try {
      writeFileSync(file, content);
      await flush(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw withPath(error, path);
  }
  await syncFolder(dirname(path));
}

/** The error of a write to an open file names no file. */
export function withPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error;
}

/** Makes the names in a folder durable. Windows opens no folder, and needs no such thing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    await flush(folder);
  } finally {
    closeSync(folder);
  }
}

/** What others than the owner may do with a file or directory; null on systems whose modes say nothing about it. */
export interface Rights {
  /** Permission bits in octal, `0644`. */
  readonly mode: string;
  readonly othersRead: boolean;
  /** That is, all users: many systems give each user a private group with write permission. */
  readonly othersWrite: boolean;
  /** Somebody else owns it, and it is not the superuser. */
  readonly foreign: boolean;
}

/** @param userId null where the system numbers no users. */
export function rightsOf(stats: Stats | null, userId: number | null): Rights | null {
  if (stats === null || userId === null) return null;
  return {
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    othersRead: (stats.mode & 0o044) !== 0,
    othersWrite: (stats.mode & 0o002) !== 0,
    foreign: stats.uid !== userId && stats.uid !== 0,
  };
}

import { randomUUID } from 'node:crypto';
import { closeSync, fsync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A folder that only its owner reads, with the folders above it. */
export async function ownFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 });
}

/**
 * Replaces a file as a whole: after a crash there is the old content or the new one. Only the owner can read it (0600).
 * The folder must exist.
 */
export async function replaceFile(path: string, content: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  try {
    const file = await open(aside, 'wx', 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, path);
  } catch (error) {
    await rm(aside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the names in a folder durable. Windows opens no folder, and needs no such thing. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

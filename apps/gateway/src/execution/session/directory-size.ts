import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a directory takes: bytes on disk and entries. */
export interface DirectorySize {
  readonly bytes: number;
  readonly files: number;
}

const BLOCK = 512;

/**
 * Adds up a directory, without following links. Stops early once either bound is passed: how far past is of no interest.
 * What disappears meanwhile counts nothing.
 */
export async function directorySize(directory: string, most: DirectorySize): Promise<DirectorySize> {
  const seen = new Set<string>();
  const pending = [directory];
  let bytes = 0;
  let files = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await opendir(next).catch(() => null);
    if (entries === null) continue;
    try {
      for await (const entry of entries) {
        const path = join(next, entry.name);
        files += 1;
        const found = await lstat(path).catch(() => null);
        if (found !== null && isNew(found, seen)) bytes += found.blocks * BLOCK;
        if (bytes > most.bytes || files > most.files) return { bytes, files };
        if (entry.isDirectory()) pending.push(path);
      }
    } catch {
      // The directory was removed while it was read.
    }
  }
  return { bytes, files };
}

/** A file with several names takes its space once. */
function isNew({ nlink, dev, ino }: { nlink: number; dev: number; ino: number }, seen: Set<string>): boolean {
  if (nlink === 1) return true;
  const key = `${dev}:${ino}`;
  const known = seen.has(key);
  seen.add(key);
  return !known;
}

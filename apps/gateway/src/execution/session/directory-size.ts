import { lstat, opendir } from 'node:fs/promises';

/** What a directory takes: bytes on disk and entries. */
export interface DirectorySize {
  readonly bytes: number;
  readonly files: number;
}

const BLOCK = 512;

/** What cannot be added up is past every bound. */
const BEYOND: DirectorySize = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

/**
 * Adds up a directory, without following links. Stops early once either bound is passed: how far past is of no interest.
 * What disappears meanwhile counts nothing; what lies deeper than a path can reach could hold anything. Names are bytes,
 * kept as Latin-1: a command may choose some that are no text.
 */
export async function directorySize(directory: string, most: DirectorySize): Promise<DirectorySize> {
  const seen = new Set<string>();
  const pending = [Buffer.from(directory).toString('latin1')];
  let bytes = 0;
  let files = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const entries = await opendir(Buffer.from(next, 'latin1'), { encoding: 'latin1' }).catch(codeOf);
    if (entries === 'ENAMETOOLONG') return BEYOND;
    if (typeof entries === 'string') continue;
    try {
      for await (const entry of entries) {
        const path = `${next}/${entry.name}`;
        files += 1;
        const found = await lstat(Buffer.from(path, 'latin1')).catch(codeOf);
        if (found === 'ENAMETOOLONG') return BEYOND;
        if (typeof found !== 'string' && isNew(found, seen)) bytes += found.blocks * BLOCK;
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

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

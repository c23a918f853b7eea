import type { Dir } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { codeOf } from '@gateway/configuration';

/** What a directory takes: bytes on disk and entries. */
export interface DirectorySize {
  readonly bytes: number;
  readonly files: number;
}

const BLOCK = 512;
/** Concurrent calls of stat: one at a time takes four times as long, and a command writes in the meantime. */
const BATCH = 64;

/** What cannot be added up is past every bound. */
const BEYOND: DirectorySize = { bytes: Number.POSITIVE_INFINITY, files: Number.POSITIVE_INFINITY };

/**
 * Measures a directory without following links. Stops once either bound is exceeded. Entries that disappear during the scan count
 * nothing; those deeper than a path can reach count as unlimited. Names are bytes, read as Latin-1: a command may choose names
 * that are no text.
 */
export async function directorySize(directory: string, most: DirectorySize): Promise<DirectorySize> {
  const seen = new Set<string>();
  const pending = [Buffer.from(directory).toString('latin1')];
  let bytes = 0;
  let files = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const listing = await opendir(bytesOf(next), { encoding: 'latin1', bufferSize: BATCH }).catch(codeOf);
    if (listing === 'ENAMETOOLONG') return BEYOND;
    if (typeof listing === 'string') continue;
    try {
      for await (const names of batchesOf(listing)) {
        const paths = names.map((name) => `${next}/${name}`);
        const entries = await Promise.all(paths.map((path) => lstat(bytesOf(path)).catch(codeOf)));
        for (const [index, entry] of entries.entries()) {
          files += 1;
          if (entry === 'ENAMETOOLONG') return BEYOND;
          if (typeof entry === 'string') continue;
          if (isNew(entry, seen)) bytes += entry.blocks * BLOCK;
          if (bytes > most.bytes || files > most.files) return { bytes, files };
          if (entry.isDirectory()) pending.push(paths[index] as string);
        }
      }
    } catch {
      // The directory was removed while it was read.
    }
  }
  return { bytes, files };
}

async function* batchesOf(listing: Dir): AsyncGenerator<string[]> {
  let names: string[] = [];
  for await (const { name } of listing) {
    names.push(name);
    if (names.length < BATCH) continue;
    yield names;
    names = [];
  }
  yield names;
}

const bytesOf = (path: string) => Buffer.from(path, 'latin1');

/** A file with several names takes its space once. */
function isNew({ nlink, dev, ino }: { nlink: number; dev: number; ino: number }, seen: Set<string>): boolean {
  if (nlink === 1) return true;
  const key = `${dev}:${ino}`;
  const known = seen.has(key);
  seen.add(key);
  return !known;
}

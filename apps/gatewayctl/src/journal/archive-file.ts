import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandFailed } from '../context/context.ts';

export interface WrittenFile {
  /** Name, without its directory. */
  readonly file: string;
  readonly entries: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

function failed(path: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code === undefined || error instanceof CommandFailed) throw error;
    throw new CommandFailed(`${path} cannot be written (${error.code}). Nothing of it was removed from the database.`);
  };
}

/** Flushes a file or directory to disk. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A name for entries of a month that no file of the directory has: `usage-2026-01-1.jsonl`. */
export function freeName(directory: string, log: string, month: Date, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = `${log}-${month.toISOString().slice(0, 7)}-${number}.jsonl`;
    if (!taken.has(name) && !existsSync(join(directory, name))) return name;
  }
}

/**
 * Writes lines to a new file, which has its name only once it is whole and on disk. @returns null where there is no line.
 * @throws CommandFailed where it cannot be written
 */
export async function writeLines(
  directory: string,
  file: string,
  pages: AsyncIterable<readonly string[]>,
): Promise<WrittenFile | null> {
  const path = join(directory, file);
  const partial = `${path}.partial`;
  const digest = createHash('sha256');
  let entries = 0;
  try {
    const handle = await open(partial, 'w', 0o600);
    try {
      for await (const page of pages) {
        if (page.length === 0) continue;
        const bytes = Buffer.from(`${page.join('\n')}\n`);
        await handle.writeFile(bytes);
        digest.update(bytes);
        entries += page.length;
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (entries === 0) {
      await rm(partial);
      return null;
    }
    await rename(partial, path);
    await sync(directory);
  } catch (error) {
    failed(path)(error as NodeJS.ErrnoException);
  }
  return { file, entries, sha256: digest.digest('hex') };
}

export async function writeManifest(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600, flush: true }).catch(failed(path));
}

/** SHA-256 of a file as it is on disk, hexadecimal. @throws CommandFailed where it cannot be read */
export async function digestOf(path: string): Promise<string> {
  const digest = createHash('sha256');
  await pipeline(createReadStream(path), digest).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${path} cannot be read (${error.code}).`);
  });
  return digest.digest('hex');
}

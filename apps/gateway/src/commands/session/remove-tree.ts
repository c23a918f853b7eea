import { chmod, mkdtemp, readdir, rename, rm, rmdir, unlink } from 'node:fs/promises';

/**
 * Removes a directory with everything in it; links in it are removed, never followed. A command may leave what the plain
 * way fails on: paths longer than the system takes, and directories that not even their owner may enter.
 */
export async function removeTree(directory: string): Promise<void> {
  try {
    await rm(directory, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    await removeLevelByLevel(directory);
  }
}

/** Each directory moves to the top before its turn, so that no path grows long. */
async function removeLevelByLevel(directory: string): Promise<void> {
  const aside = await mkdtemp(`${directory}-`);
  let moved = 0;
  const pending = [bytesOf(directory)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    await chmod(next, 0o700);
    for (const entry of await readdir(next, { withFileTypes: true, encoding: 'buffer' })) {
      const path = Buffer.concat([next, SEPARATOR, entry.name]);
      if (!entry.isDirectory()) await unlink(path);
      else {
        moved += 1;
        const renamed = bytesOf(`${aside}/${moved}`);
        await chmod(path, 0o700); // or it could not be moved
        await rename(path, renamed);
        pending.push(renamed);
      }
    }
    await rmdir(next);
  }
  await rmdir(aside);
}

/** Names are bytes: a command may choose some that are no text. */
const bytesOf = (path: string) => Buffer.from(path);
const SEPARATOR = Buffer.from('/');

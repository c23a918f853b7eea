import type { BigIntStats, Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** One regular file of an archive as the disk holds it at one moment. */
export interface Entry {
  /** Path below the archive's root, with `/` between segments. */
  readonly name: string;
  /** Absolute path, every symbolic link resolved. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Changes whenever the content may have changed: device, inode, size and both change times. */
  readonly mark: string;
}

/**
 * Lists the regular files below a folder, sorted by name. A symbolic link is followed only where its end lies inside
 * the folder; anything that is no regular file, and every name that starts with a dot, is left out.
 * @throws the file system's error when the folder or something in it cannot be read
 */
export async function walk(folder: string): Promise<Entry[]> {
  const root = await realpath(folder);
  const entries: Entry[] = [];
  const visit = async (directory: string, prefix: string, above: readonly string[]): Promise<void> => {
    for (const child of await readdir(directory, { withFileTypes: true })) {
      if (child.name.startsWith('.') && child.name !== '.well-known') continue;
      const path = await contained(root, directory, child);
      if (path === null) continue;
      const facts = await stat(path, { bigint: true });
      const name = prefix + child.name;
      if (facts.isDirectory()) {
        // A link to a folder above itself would never end.
        if (!above.includes(path)) await visit(path, `${name}/`, [...above, path]);
      } else if (facts.isFile()) {
        entries.push({ name, path, size: Number(facts.size), mark: markOf(facts) });
      }
    }
  };
  await visit(root, '', [root]);
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The mark of a file in the state in which it was looked at. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join('.');
}

/** Where an entry really lies, or null when that is outside the root or nowhere. */
async function contained(root: string, directory: string, child: Dirent): Promise<string | null> {
  const path = join(directory, child.name);
  if (!child.isSymbolicLink()) return path;
  const end = await realpath(path).catch(() => null);
  return end !== null && end.startsWith(root + sep) ? end : null;
}

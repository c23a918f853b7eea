import { isUtf8 } from 'node:buffer';
import type { BigIntStats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** One regular file of an archive on the disk at one moment. */
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
 * Lists the regular files below a folder, sorted by name. A symbolic link is followed only where its target is inside the folder.
 * Omitted are other files, names that start with a dot, and names that are not UTF-8, which no address can contain.
 * @throws the file system's error when the folder or an entry cannot be read
 */
export async function walk(folder: string): Promise<Entry[]> {
  const root = await realpath(folder);
  const entries: Entry[] = [];
  const visit = async (directory: string, prefix: string, above: readonly string[]): Promise<void> => {
    for (const child of await readdir(directory, { withFileTypes: true, encoding: 'buffer' })) {
      const own = utf8Text(child.name);
      if (own === null || (own.startsWith('.') && own !== '.well-known')) continue;
      const path = await resolveInside(root, join(directory, own), child.isSymbolicLink());
      if (path === null) continue;
      const facts = await stat(path, { bigint: true });
      const name = prefix + own;
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

/** Identifies the state of a file when it was read. */
export function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join('.');
}

/** The real path of an entry, or null when that is outside the root or missing. */
async function resolveInside(root: string, path: string, isLink: boolean): Promise<string | null> {
  if (!isLink) return path;
  const end = await realpath(path, { encoding: 'buffer' }).then(utf8Text, () => null);
  return end !== null && end.startsWith(root + sep) ? end : null;
}

/** A name as text; null where its bytes are not UTF-8. */
function utf8Text(bytes: Buffer): string | null {
  return isUtf8(bytes) ? bytes.toString('utf8') : null;
}

/**
 * The text of a file as its tool meant it: UTF-16 with that byte order mark, as PowerShell writes redirected output; otherwise
 * UTF-8; otherwise the fallback encoding of browsers. The mark is removed.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}

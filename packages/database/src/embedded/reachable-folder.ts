import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readlinkSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ServiceUser } from './service-user.ts';
import { SYSTEM_FOLDER } from './system-folder.ts';

function enters(folder: string, user: ServiceUser): boolean {
  return spawnSync('/bin/sh', ['-c', 'cd "$0"', folder], { ...user, cwd: '/' }).status === 0;
}

/**
 * The folder that really contains the server's data. For an ordinary user it is the requested folder. For root the server runs as
 * another user, who cannot enter a private folder (/root): the data is then under /var/lib, and the requested folder is a
 * symbolic link to it, so that users can find, move and delete it.
 */
export function reachableFolder(directory: string, user: ServiceUser | null): string {
  const asked = resolve(directory);
  if (!user) return asked;
  mkdirSync(dirname(asked), { recursive: true });
  if (existsSync(asked)) {
    const target = linkTarget(asked);
    if (target) return target;
  } else {
    mkdirSync(asked);
  }
  chmodSync(asked, 0o711);
  if (enters(asked, user)) return asked;
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  const folder = mkdtempSync(join(SYSTEM_FOLDER, 'data-')); // never a leftover of another checkout at this path
  chmodSync(folder, 0o711);
  symlinkSync(folder, join(asked, 'elsewhere'));
  return folder;
}

function linkTarget(asked: string): string | null {
  try {
    return resolve(asked, readlinkSync(join(asked, 'elsewhere')));
  } catch {
    return null;
  }
}

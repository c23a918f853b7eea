import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system for the database, which can be filled without harm to the machine. */
export interface SmallDisk {
  readonly directory: string;
  remove(): void;
}

/** Null where this user may not mount one: only root may, and not in every container. */
export function mountSmallDisk(megabytes: number): SmallDisk | null {
  const directory = mkdtempSync(join(tmpdir(), 'gateway-faults-disk-'));
  const mounted =
    process.getuid?.() === 0 &&
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', directory]).status === 0;
  if (!mounted) {
    rmSync(directory, { recursive: true });
    return null;
  }
  return {
    directory,
    remove() {
      spawnSync('umount', ['--lazy', directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

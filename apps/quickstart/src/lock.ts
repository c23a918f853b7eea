import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from '@gateway/contract/error-code';
import { identityOf, runs } from '@gateway/database/embedded';
import { StartFault } from './fault.ts';

/** What a lock says: the process, and which of the processes of that number it is. */
function holding(pid: number): string {
  return `${pid} ${identityOf(pid)}`.trim();
}

/** Creates the lock file with its full content, or not at all: nobody ever reads a partial one. False if one exists. */
function put(file: string, held: string): boolean {
  const whole = `${file}.${process.pid}`;
  writeFileSync(whole, held, { mode: 0o600 });
  try {
    linkSync(whole, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(whole, { force: true });
  }
}

/** What a lock says; nothing where its holder has ended since it was seen. */
function readLock(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

/**
 * Removes a stale lock. Another start may have removed it first and created its own: that one is then put back.
 * @param stale content of the lock when it was read
 */
export function removeStale(file: string, stale: string): void {
  const aside = `${file}.${process.pid}.stale`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  const removed = readFileSync(aside, 'utf8');
  if (removed !== stale) put(file, removed);
  rmSync(aside, { force: true });
}

/**
 * Locks a folder for this process: two starts must not use the same database.
 * @returns the content of the lock
 * @throws StartFault if a running process holds it
 */
export function lock(path: string, file: string): string {
  const held = holding(process.pid);
  while (!put(file, held)) {
    const other = readLock(file);
    const holder = Number(other.split(' ', 1)[0]);
    // A process id that was reused since holds no lock.
    if (holder > 0 && holder !== process.pid && runs(holder) && other === holding(holder)) {
      throw new StartFault(
        `npm start already runs on ${path} (process ${holder}). End it, or choose another folder with --data.`,
      );
    }
    removeStale(file, other);
  }
  return held;
}

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartFault } from './fault.ts';

/** SQLite's code for a file that another connection holds. */
const BUSY = 5;

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === BUSY;
}

/**
 * Locks a folder for this process: two starts must not use the same database. SQLite holds the lock in the operating system, so
 * it ends with the process, however that ends. The version number in the file names the holder.
 * @returns ends the lock
 * @throws StartFault if another process holds it
 */
export function lock(folder: string): () => void {
  const file = new DatabaseSync(join(folder, 'lock'), { timeout: 0 });
  try {
    // Others can read the number only once it is written; who comes between the two transactions has the lock.
    file.exec(`BEGIN IMMEDIATE; PRAGMA user_version = ${process.pid}; COMMIT; BEGIN IMMEDIATE`);
  } catch (error) {
    const holder = isBusy(error) ? holderOf(file) : '';
    file.close();
    if (!isBusy(error)) throw error;
    throw new StartFault(`npm start already runs on ${folder}${holder}. End it, or choose another folder with --data.`);
  }
  return () => file.close();
}

/** The process that the lock names. Empty in the moment in which it is written. */
function holderOf(file: DatabaseSync): string {
  try {
    const pid = file.prepare('PRAGMA user_version').get()?.['user_version'];
    return pid === undefined || pid === 0 ? '' : ` (process ${String(pid)})`;
  } catch (error) {
    if (isBusy(error)) return '';
    throw error;
  }
}

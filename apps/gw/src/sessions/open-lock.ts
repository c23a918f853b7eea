import { join } from 'node:path';
import { Locked, takeLock } from '../files/lock.ts';
import { ownFolder } from '../files/replace.ts';
import { WrongUsage } from '../process/fault.ts';

/** How long, in milliseconds, a process that is about to end may still hold a session. */
const PATIENCE_MS = 300;

/**
 * Locks a session for this process: two processes with one session would overwrite each other's conversation. The returned
 * function releases it; so does the end of the process.
 * @throws WrongUsage if another process has it open, with a hint how to copy it.
 */
export async function keepSessionOpen(home: string, id: string): Promise<() => Promise<void>> {
  const folder = join(home, '.gateway', 'locks');
  await ownFolder(folder);
  try {
    return await takeLock(join(folder, `${id}.lock`), PATIENCE_MS);
  } catch (error) {
    if (!(error instanceof Locked)) throw error;
    throw new WrongUsage(
      `The session ${id} is open already, in ${error.owner}. End it there, or continue with a copy: gw --fork ${id}`,
    );
  }
}

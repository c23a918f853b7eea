import { join } from 'node:path';
import { Locked, takeLock } from '../files/lock.ts';
import { ownFolder } from '../files/replace.ts';
import { WrongUsage } from '../process/fault.ts';

/** Milliseconds that a process which is about to end may still hold a session. */
const PATIENCE_MS = 300;

/**
 * Keeps a session for this process: two that go on with one session would overwrite each other's conversation. The
 * function that is returned gives it back; a process that has died gives it back, too.
 * @throws WrongUsage where another process has it open, with the way to a copy.
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

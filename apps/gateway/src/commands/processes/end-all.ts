import { setTimeout as pause } from 'node:timers/promises';
import { signalAll } from './descendants.ts';

/** Milliseconds between two looks, and looks at most: what a signal does not end within a second, it does not end. */
const BETWEEN = 20;
const MOST = 50;

/**
 * Ends the processes that a scan finds. A process may start another one after the scan, and one in the middle of an exec shows no
 * mark. So the scan repeats until it finds nothing twice.
 */
export async function endAll(look: () => readonly number[]): Promise<void> {
  let unseen = 0;
  for (let looks = 0; looks < MOST; looks += 1) {
    const left = look();
    signalAll(left, 'SIGKILL');
    unseen = left.length === 0 ? unseen + 1 : 0;
    if (unseen === 2) return;
    await pause(BETWEEN);
  }
}

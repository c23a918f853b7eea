import { setTimeout as pause } from 'node:timers/promises';
import { markedThisTurn, signalAll } from '../descendants.ts';

/** Milliseconds between two looks, and looks at most: what a signal does not end within a second, it does not end. */
const BETWEEN = 20;
const MOST = 50;

/**
 * Ends what is left of a command whose first process is gone. What a signal ends may have started another process since it was
 * looked for, and one that is just turning into another program shows no mark: so it is looked again until twice nothing is seen.
 */
export async function endRemainder(mark: string): Promise<void> {
  let unseen = 0;
  for (let looks = 0; looks < MOST && unseen < 2; looks += 1) {
    await pause(BETWEEN);
    const left = markedThisTurn(mark);
    signalAll(left, 'SIGKILL');
    unseen = left.length === 0 ? unseen + 1 : 0;
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../agent/types.ts';

export function createClock(now: () => Date): Clock {
  return {
    now,
    async sleep(milliseconds, signal) {
      await pause(milliseconds, undefined, signal && { signal }).catch(() => signal?.throwIfAborted());
    },
  };
}

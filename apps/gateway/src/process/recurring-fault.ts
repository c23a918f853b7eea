import type { Clock } from './clock.ts';
import type { Report } from './report.ts';

/** Between two lines about the same fault: a full disk meets every record, and must not fill the log too. */
const QUIET = 60_000;

/** A fault that comes again and again until somebody fixes it. */
export interface RecurringFault {
  /** Tells it at once where it is new, then once a minute, with how often it came meanwhile. */
  tell(error: unknown): void;
  /** Tells at the end how often it came after the last line. */
  settle(): void;
}

/** @param sentence says what happened, to go on with why: `GATEWAY_STATE_DIR: a record could not be kept on disk` */
export function createRecurringFault(sentence: string, report: Report, clock: Clock): RecurringFault {
  let toldAt = Number.NEGATIVE_INFINITY;
  let untold = 0;
  return {
    tell(error) {
      untold += 1;
      const now = clock();
      if (now - toldAt < QUIET) return;
      report(`${sentence}: ${String(error)}${untold > 1 ? ` (${untold} times since this was said before)` : ''}`);
      toldAt = now;
      untold = 0;
    },
    settle() {
      if (untold > 0) report(`${sentence}: ${untold} times more before the end`);
      untold = 0;
    },
  };
}

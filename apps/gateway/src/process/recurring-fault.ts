import type { Clock } from './clock.ts';
import type { Report } from './report.ts';

/** Interval between two lines about the same fault: a full disk affects every record, and must not fill the log, too. */
const QUIET = 60_000;

/** A fault that recurs until an operator fixes it. */
export interface RecurringFault {
  /** Reports a new fault immediately, then once a minute with the number of occurrences. */
  report(error: unknown): void;
  /** Reports at the end how often it occurred after the last line. */
  settle(): void;
}

/** @param sentence says what happened; the cause follows: `GATEWAY_STATE_DIR: a record could not be kept on disk` */
export function createRecurringFault(sentence: string, report: Report, clock: Clock): RecurringFault {
  let reportedAt = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  return {
    report(error) {
      unreported += 1;
      const now = clock();
      if (now - reportedAt < QUIET) return;
      report(`${sentence}: ${String(error)}${unreported > 1 ? ` (${unreported} times since the last report)` : ''}`);
      reportedAt = now;
      unreported = 0;
    },
    settle() {
      if (unreported > 0) report(`${sentence}: ${unreported} times more before the end`);
      unreported = 0;
    },
  };
}

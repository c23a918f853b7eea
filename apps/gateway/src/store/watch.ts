import { isDataFault, whyUnanswered } from '@gateway/database';
import type { Clock } from '../process/clock.ts';
import type { Report } from '../process/report.ts';

/** Between two reported outages: a database that answers every other question must not fill the log. */
const QUIET = 60_000;

/** Reports a database that fails once, and its recovery once: anybody who is refused meanwhile reads no cause. */
export interface DatabaseWatch {
  /** @param asker what asks, distinguished because a database may still be read that takes no more records. */
  heard<Answer>(asker: string, answer: Promise<Answer>): Promise<Answer>;
  /** The same of an answer that has come. @param error null where it is good */
  outcome(asker: string, error: Error | null): void;
}

export function createDatabaseWatch(report: Report, clock: Clock): DatabaseWatch {
  const failing = new Set<string>();
  let reported = false;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  function failed(asker: string, error: unknown): void {
    // What the database refuses for what a record holds is no fault of its state.
    if (isDataFault(error) || (error instanceof Error && isDataFault(error.cause))) return;
    failing.add(asker);
    const now = clock();
    const isAnother = now - failedAt >= QUIET; // the end of the one before was not seen: no later call met it
    failedAt = now;
    if (reported ? !isAnother : now - reportedAt < QUIET) return;
    reported = true;
    reportedAt = now;
    report(
      `DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: ${whyUnanswered(error)}.`,
      'error',
    );
  }

  function answered(asker: string): void {
    if (!failing.delete(asker) || failing.size > 0 || !reported) return;
    reported = false;
    report('DATABASE_URL: the database answers again.', 'info');
  }

  return {
    heard(asker, answer) {
      answer.then(
        () => answered(asker),
        (error: unknown) => failed(asker, error),
      );
      return answer;
    },
    outcome(asker, error) {
      if (error === null) answered(asker);
      else failed(asker, error);
    },
  };
}

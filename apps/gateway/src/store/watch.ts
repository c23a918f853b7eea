import { isDataFault, isReadOnlyFault, whyUnanswered } from '@gateway/database';
import type { Clock, Report } from '../process/report.ts';

/** Between two reported outages: a database that answers every other query must not fill the log. */
const QUIET = 60_000;

/** Reports an outage of the database once, and its recovery once. Refused callers see no cause. */
export interface DatabaseWatch {
  /** @param source of the query: a database that is readable may refuse records. */
  observe<Answer>(source: string, answer: Promise<Answer>): Promise<Answer>;
  /** The same for a settled query. @param error null for a success */
  outcome(source: string, error: Error | null): void;
}

export function createDatabaseWatch(report: Report, clock: Clock): DatabaseWatch {
  const failing = new Set<string>();
  let reported = false;
  let readOnlyReportedAt = Number.NEGATIVE_INFINITY;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let failedAt = Number.NEGATIVE_INFINITY;

  function failed(source: string, error: unknown): void {
    // A record refused because of its content is no fault of the database.
    if (isDataFault(error) || (error instanceof Error && isDataFault(error.cause))) return;
    failing.add(source);
    const now = clock();
    const isAnother = now - failedAt >= QUIET; // the end of the previous one was not seen, for lack of calls
    failedAt = now;
    // A fail-over begins with lost connections. That the server is a standby is known later, and is reported too.
    const isNewCause = isReadOnlyFault(error) && now - readOnlyReportedAt >= QUIET;
    if (!isNewCause && (reported ? !isAnother : now - reportedAt < QUIET)) return;
    reported = true;
    if (isNewCause) readOnlyReportedAt = now;
    reportedAt = now;
    report(
      `DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: ${whyUnanswered(error)}.`,
      'error',
    );
  }

  function answered(source: string): void {
    if (!failing.delete(source) || failing.size > 0 || !reported) return;
    reported = false;
    report('DATABASE_URL: the database answers again.', 'info');
  }

  return {
    observe(source, answer) {
      answer.then(
        () => answered(source),
        (error: unknown) => failed(source, error),
      );
      return answer;
    },
    outcome(source, error) {
      if (error === null) answered(source);
      else failed(source, error);
    },
  };
}

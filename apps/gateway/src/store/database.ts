import { isDataFault, isReadOnlyFault, whyUnanswered } from '@gateway/database';
import { createLink, type Link } from '@gateway/database/client/link';
import type { RelayFactsOptions } from '@gateway/domain/call/facts';
import { createRelayFactsReader } from '@gateway/domain/call/reader';
import type { FactsPort } from '../auth/ports.ts';
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

/** Milliseconds until a statement gives up on a lock. */
const LOCK_TIMEOUT = 1000;

/** What calls ask of the database. */
interface Queries {
  readonly facts: FactsPort;
  /** For queries besides the facts: a license's seats, a plan, the text of a policy. */
  readonly link: Link;
  close(): void;
}

interface QueriesParts extends Omit<RelayFactsOptions, 'budgetMs' | 'onOutcome'> {
  readonly watch: DatabaseWatch;
}

export function openQueries({ watch, ...reading }: QueriesParts): Queries {
  const { address } = reading;
  const reader = createRelayFactsReader({
    ...reading,
    budgetMs: DATABASE_BUDGET,
    onOutcome: (what, error) => watch.outcome(what, error),
  });
  const link = createLink({
    address,
    applicationName: 'gateway checks',
    budgetMs: DATABASE_BUDGET,
    settings: { lock_timeout: LOCK_TIMEOUT },
    isRepeatable: true,
  });
  return {
    facts: {
      read: (query, deadline) => reader.read(query, deadline),
      activeEndpointNames: (deadline) => reader.activeEndpointNames(deadline),
    },
    link: {
      run: (deadline, work) => watch.observe('checks', link.run(deadline, work)),
      cut: () => link.cut(),
    },
    close() {
      reader.close();
      link.cut();
    },
  };
}

/**
 * Milliseconds of database time for one answer; for a relayed call, for all queries together (attacks and faults: the budget). A
 * later reply counts as missing.
 */
export const DATABASE_BUDGET = 5000;

/** A start that waits for a lock, or for a frozen database, ends and reports it: the operator sees nothing else. */
export const START_CONNECTION = {
  max: 1,
  applicationName: 'gateway start',
  connectSeconds: 10,
  settings: { lock_timeout: 10_000, statement_timeout: 30_000 },
} as const;

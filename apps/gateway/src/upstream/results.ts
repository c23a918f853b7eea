import { createRecurringFault, type RecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';
import { type CallResult, ResultBatch, type ResultRows } from './result-batch.ts';

/** Rows that wait for the database at most: a database that is down must not fill the memory. */
const MOST_WAITING = 10_000;
const MOST_TOGETHER = 500;
/** Milliseconds between two batches. */
const PAUSE = 1000;
const NOTHING: ResultRows = { results: [], keyUses: [] };

/** Collects the providers' results and stores them a moment later: no call waits for it or fails because of it. */
export interface UpstreamResults {
  add(result: CallResult): void;
  /** Rows that wait for the database. */
  readonly waiting: number;
  /** Keeps what waits, once. */
  close(): Promise<void>;
}

export function createUpstreamResults(keep: (rows: ResultRows) => Promise<void>, report: Report): UpstreamResults {
  const unkept = createRecurringFault('DATABASE_URL: results of providers were not kept', report);
  /** By provider: why it did not answer, for the operator who is told of a 502. */
  const unanswered = new Map<string, RecurringFault>();
  let collected = new ResultBatch();
  /** Taken from a batch, and sent again unchanged until they are stored: a row written twice must be one row. */
  let leaving = NOTHING;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let dropped = 0;

  const waiting = (): number => collected.size + leaving.results.length;

  /** Stores what was collected until now. Results that arrive meanwhile are stored with the next batch: a batch for few calls costs as much as for many. */
  async function flush(): Promise<void> {
    if (leaving.results.length === 0) {
      leaving = collected.rows();
      collected = new ResultBatch();
    }
    while (leaving.results.length > 0) {
      const { results, keyUses } = leaving;
      await keep({ results: results.slice(0, MOST_TOGETHER), keyUses });
      leaving = { results: results.slice(MOST_TOGETHER), keyUses: [] };
    }
    if (dropped > 0) report(`${dropped} results of providers were not kept: the database did not take them in time.`);
    dropped = 0;
  }

  function arm(): void {
    if (timer !== null || writing !== null || waiting() === 0) return;
    timer = setTimeout(() => {
      timer = null;
      writing = flush()
        .catch((error: unknown) => unkept.report(error)) // they wait for the next turn
        .finally(() => {
          writing = null;
          arm();
        });
    }, PAUSE);
    timer.unref();
  }

  return {
    get waiting() {
      return waiting();
    },
    add(result) {
      const { provider, status, fault } = result;
      if (status === null && fault !== null) {
        const recurring =
          unanswered.get(provider) ?? createRecurringFault(`The provider ${provider} gave no answer`, report);
        unanswered.set(provider, recurring);
        recurring.report(fault);
      }
      if (waiting() >= MOST_WAITING) dropped += 1;
      else collected.add(result);
      arm();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      for (const recurring of unanswered.values()) recurring.settle();
      await writing;
      try {
        while (waiting() > 0) await flush();
      } catch {
        report(`${waiting()} results of providers could not be kept at the end.`);
      }
      if (timer !== null) clearTimeout(timer);
    },
  };
}

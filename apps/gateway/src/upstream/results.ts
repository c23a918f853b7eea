import type { UpstreamResult } from '@gateway/database/gateway';
import { createRecurringFault } from '../process/recurring-fault.ts';
import type { Report } from '../process/report.ts';

/** Results that wait for the database at most: a database that is down must not fill the memory. */
const MOST_WAITING = 10_000;
const MOST_TOGETHER = 500;
/** Milliseconds between two batches. */
const PAUSE = 1000;

/** Collects the providers' results and stores them a moment later: no call waits for it or fails because of it. */
export interface UpstreamResults {
  add(result: UpstreamResult): void;
  /** Results that wait for the database. */
  readonly waiting: number;
  /** Keeps what waits, once. */
  close(): Promise<void>;
}

export function createUpstreamResults(
  keep: (results: readonly UpstreamResult[]) => Promise<void>,
  report: Report,
): UpstreamResults {
  const unkept = createRecurringFault('DATABASE_URL: results of providers were not kept', report);
  let waiting: UpstreamResult[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;
  let dropped = 0;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, MOST_TOGETHER);
      await keep(batch);
      waiting = waiting.slice(batch.length);
    }
    if (dropped > 0) report(`${dropped} results of providers were not kept: the database did not take them in time.`);
    dropped = 0;
  }

  function arm(): void {
    if (timer !== null || writing !== null || waiting.length === 0) return;
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
      return waiting.length;
    },
    add(result) {
      if (waiting.length >= MOST_WAITING) dropped += 1;
      else waiting.push(result);
      arm();
    },
    async close() {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      await writing;
      await flush().catch(() => report(`${waiting.length} results of providers could not be kept at the end.`));
      if (timer !== null) clearTimeout(timer);
    },
  };
}

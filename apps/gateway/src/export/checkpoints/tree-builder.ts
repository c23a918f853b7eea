import { ACTIONS, DECISIONS } from '@gateway/database';
import type { LogTrees } from '@gateway/database/gateway';
import { createRecurringFault } from '../../process/recurring-fault.ts';
import type { Report } from '../../process/report.ts';

export interface TreeBuildingOptions {
  readonly trees: Pick<LogTrees, 'build'>;
  readonly report: Report;
  /** Milliseconds between looks for new entries. Default 30,000. */
  readonly everyMs?: number;
}

/**
 * Appends new entries to the trees of the logs, a tile of 256 at a time, so that a proof never has to build much. No call waits for
 * it: it reads what is committed. Of several gateways on one database, one does it at a time.
 */
export function startTreeBuilding({ trees, report, everyMs = 30_000 }: TreeBuildingOptions): {
  readonly stop: () => Promise<void>;
} {
  const fault = createRecurringFault('The tree over the logs was not extended, and is tried again', report);
  const stopping = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function build(): Promise<void> {
    for (const chain of [DECISIONS, ACTIONS] as const) {
      let more = true;
      while (more && !stopping.signal.aborted) more = await trees.build(chain);
    }
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      running = build()
        .catch((error: unknown) => fault.report(error))
        .then(schedule);
    }, everyMs);
    timer.unref();
  }

  schedule();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      fault.settle();
    },
  };
}

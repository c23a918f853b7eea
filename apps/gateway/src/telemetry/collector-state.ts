import { errorMessage } from '@gateway/contract/error-code';
import type { Report } from '../process/report.ts';

/** Reports how a collector accepts events: once for each cause, and once when it takes it again. */
export interface CollectorState {
  took(): void;
  refused(error: unknown): void;
}

/** @param what is sent: `Metrics`. @param then the consequence for data that was not accepted. */
export function createCollectorState(what: string, then: string, report: Report): CollectorState {
  let reported: string | null = null;
  return {
    took() {
      if (reported !== null) report(`${what}: the collector takes them again.`, 'info');
      reported = null;
    },
    refused(error) {
      const cause = errorMessage(error);
      if (cause !== reported) report(`${what}: ${cause}. ${then}`);
      reported = cause;
    },
  };
}

import type { Report } from '../process/report.ts';

/** Tells the operator how a collector takes what it is sent: once for each cause, and once when it takes it again. */
export interface CollectorState {
  took(): void;
  refused(error: unknown): void;
}

/** @param what is sent: `Metrics`. @param then what becomes of what was not taken. */
export function createCollectorState(what: string, then: string, report: Report): CollectorState {
  let told: string | null = null;
  return {
    took() {
      if (told !== null) report(`${what}: the collector takes them again.`, 'info');
      told = null;
    },
    refused(error) {
      const cause = error instanceof Error ? error.message : String(error);
      if (cause !== told) report(`${what}: ${cause}. ${then}`);
      told = cause;
    },
  };
}

import { randomUUID } from 'node:crypto';
import type { Collector } from '../export/destinations/collector.ts';
import type { Report } from '../process/report.ts';
import { createCollectorState } from './collector-state.ts';
import type { Instrument } from './instruments.ts';
import { metricsBody } from './otlp-metrics.ts';

/** Milliseconds between two exports. */
const PERIOD = 15_000;
/** Milliseconds that the last export may delay the shutdown. */
const LAST = 2000;

export interface PublisherOptions {
  readonly collector: Collector;
  readonly instruments: readonly Instrument[];
  readonly report: Report;
  readonly period?: number;
  /** Brings the instruments up to date. It never rejects. */
  readonly settle?: () => Promise<void>;
}

/**
 * Sends all sums in each export, so nothing waits in memory for a collector that missed some. An unavailable collector is
 * reported once for each cause, and once when it accepts metrics again.
 */
export function publishMetrics({ collector, instruments, report, period = PERIOD, settle }: PublisherOptions): {
  stop(): Promise<void>;
} {
  const [instance, startedAt] = [randomUUID(), Date.now()];
  const stopping = new AbortController();
  const state = createCollectorState('Metrics', `They are sent again every ${period / 1000} s.`, report);
  let sending: Promise<void> = Promise.resolve();

  async function send(signal: AbortSignal): Promise<void> {
    try {
      await settle?.();
      await collector.post(metricsBody(instruments, { instance, startedAt, now: Date.now() }), signal);
      state.took();
    } catch (error) {
      if (!signal.aborted) state.refused(error);
    }
  }

  let timer = setTimeout(turn, period).unref();
  function turn(): void {
    sending = send(stopping.signal).then(() => {
      if (!stopping.signal.aborted) timer = setTimeout(turn, period).unref();
      return undefined;
    });
  }

  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await sending;
      await send(AbortSignal.timeout(LAST));
      await collector.close();
    },
  };
}

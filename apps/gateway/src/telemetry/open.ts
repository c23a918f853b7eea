import { randomUUID } from 'node:crypto';
import { BRAND } from '@gateway/contract';
import type { Configuration } from '../config/configuration.ts';
import type { CollectorConfiguration } from '../config/telemetry.ts';
import { type Collector, createCollector } from '../export/destinations/collector.ts';
import type { Report } from '../process/report.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import type { CostMeter } from './cost.ts';
import { GatewayMetrics, type Levels } from './gateway-metrics.ts';
import type { Instrument } from './instruments.ts';
import { attributesOf, createCollectorState, nanoseconds, resourceOf, startSpanExporter } from './span-exporter.ts';
import { createTracer, type Tracer } from './tracer.ts';

/** Sums since the start of this process, as OTLP numbers it. */
const CUMULATIVE = 2;

/**
 * All instruments as an ExportMetricsServiceRequest in its JSON form (OTLP 1.x).
 * @param instance names this process among several.
 * @param startedAt and @param now milliseconds since 1970.
 */
export function metricsBody(
  instruments: readonly Instrument[],
  { instance, startedAt, now }: { readonly instance: string; readonly startedAt: number; readonly now: number },
): string {
  const times = { startTimeUnixNano: nanoseconds(startedAt), timeUnixNano: nanoseconds(now) };
  const metrics = instruments.map((instrument) => ({ ...instrument.description, ...dataOf(instrument, times) }));
  return JSON.stringify({
    resourceMetrics: [{ resource: resourceOf(instance), scopeMetrics: [{ scope: { name: BRAND }, metrics }] }],
  });
}

function dataOf(instrument: Instrument, times: { readonly startTimeUnixNano: string; readonly timeUnixNano: string }) {
  if (instrument.kind === 'histogram') {
    const dataPoints = instrument.points().map(({ attributes, count, sum, buckets }) => ({
      attributes: attributesOf(attributes),
      ...times,
      count: String(count),
      sum,
      bucketCounts: buckets.map(String),
      explicitBounds: instrument.bounds,
    }));
    return { histogram: { aggregationTemporality: CUMULATIVE, dataPoints } };
  }
  const dataPoints = instrument
    .points()
    .map(({ attributes, value }) => ({ attributes: attributesOf(attributes), ...times, asDouble: value }));
  if (instrument.kind === 'gauge') return { gauge: { dataPoints } };
  return { sum: { aggregationTemporality: CUMULATIVE, isMonotonic: true, dataPoints } };
}

/** Milliseconds between two exports. */
const PERIOD = 15_000;
/** Milliseconds that the last export may delay the shutdown. */
const LAST = 2000;

interface PublisherOptions {
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

/** Milliseconds a collector may take to answer. */
const PATIENCE = 10_000;

/** What listens to the relay; null where nothing is sent of a kind. */
export interface Telemetry {
  readonly metrics: GatewayMetrics | null;
  readonly tracer: Tracer | null;
  /** Sends what is left. */
  close(): Promise<void>;
}

export function openTelemetry(
  configuration: Configuration,
  report: Report,
  levels: Levels,
  cost: CostMeter | null,
): Telemetry {
  const { metrics: toMetrics, traces: toTraces } = configuration.telemetry;
  const metrics = toMetrics && new GatewayMetrics(levels, cost);
  const publisher =
    metrics &&
    toMetrics &&
    publishMetrics({
      collector: collectorOf(configuration, toMetrics),
      instruments: metrics.instruments,
      report,
      settle: () => metrics.settle(),
    });
  const spans = toTraces && startSpanExporter({ collector: collectorOf(configuration, toTraces), report });
  return {
    metrics,
    tracer: spans && createTracer((span) => spans.add(span)),
    async close() {
      await Promise.all([publisher?.stop(), spans?.stop()]);
      metrics?.close();
    },
  };
}

/** They take the ways that the log export takes. */
function collectorOf(
  { upstream }: Configuration,
  { address, headers, tls, variable }: CollectorConfiguration,
): Collector {
  const { httpsProxy, noProxy } = upstream;
  const addedAuthorities = [...upstream.tls.addedAuthorities, ...tls.addedAuthorities];
  const own = { addedAuthorities, client: tls.client };
  const upstreams = createUpstreams({ httpsProxy, httpProxy: null, noProxy, tls: own, idleTimeout: PATIENCE });
  return createCollector({ url: address, variable, headers, upstreams, patience: PATIENCE });
}

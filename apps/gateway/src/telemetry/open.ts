import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { BRAND } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { CollectorConfiguration, Configuration } from '../config/configuration.ts';
import { type Collector, createCollector } from '../export/collector.ts';
import type { Report } from '../process/report.ts';
import { createUpstreams } from '../upstream/upstreams.ts';
import type { CostMeter } from './cost.ts';
import { GatewayMetrics, type Levels } from './gateway-metrics.ts';
import type { Instrument } from './instruments.ts';
import { createTracer, type Span, type Tracer } from './tracer.ts';

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
const METRIC_PERIOD = 15_000;
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
export function publishMetrics({ collector, instruments, report, period = METRIC_PERIOD, settle }: PublisherOptions): {
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

/** Kinds and the status of a failure, as OTLP numbers them. */
const KINDS = { server: 2, client: 3 } as const;
const FAILED = 2;

/** Spans as an ExportTraceServiceRequest in its JSON form (OTLP 1.x). */
function spansBody(spans: readonly Span[], instance: string): string {
  const sent = spans.map(({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, failed }) => ({
    traceId,
    spanId,
    parentSpanId: parentId,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(startedAt),
    endTimeUnixNano: nanoseconds(endedAt),
    attributes: attributesOf(attributes),
    status: failed ? { code: FAILED } : {},
  }));
  return JSON.stringify({
    resourceSpans: [{ resource: resourceOf(instance), scopeSpans: [{ scope: { name: BRAND }, spans: sent }] }],
  });
}

/** Milliseconds between two exports. */
const SPAN_PERIOD = 2000;
/** Maximum number of waiting spans, and of spans in one request. Further ones are dropped. */
const MOST = 4096;
const TOGETHER = 512;

interface SpanExporterOptions {
  readonly collector: Collector;
  readonly report: Report;
  readonly period?: number;
}

export interface SpanExporter {
  add(span: Span): void;
  stop(): Promise<void>;
}

/** Sends spans a moment later. No call waits for it; spans that a collector does not take are lost: they are no record. */
export function startSpanExporter({ collector, report, period = SPAN_PERIOD }: SpanExporterOptions): SpanExporter {
  const instance = randomUUID();
  const state = createCollectorState('Traces', 'Spans are lost until it takes them.', report);
  const stopping = new AbortController();
  let waiting: Span[] = [];
  let timer: NodeJS.Timeout | null = null;
  let isSending = false;
  let sending: Promise<void> = Promise.resolve();

  async function send(signal: AbortSignal): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, TOGETHER);
      try {
        await collector.post(spansBody(batch, instance), signal);
        state.took();
      } catch (error) {
        if (signal.aborted) waiting.unshift(...batch);
        else state.refused(error);
        return;
      }
    }
  }

  function turn(): void {
    timer = null;
    isSending = true;
    sending = send(stopping.signal).then(() => {
      isSending = false;
      arm();
      return undefined;
    });
  }

  function arm(): void {
    if (timer !== null || isSending || waiting.length === 0 || stopping.signal.aborted) return;
    timer = setTimeout(turn, period).unref();
  }

  return {
    add(span) {
      if (waiting.length < MOST) waiting.push(span);
      arm();
    },
    async stop() {
      if (timer !== null) clearTimeout(timer);
      stopping.abort();
      await sending;
      await send(AbortSignal.timeout(LAST));
      waiting = [];
      await collector.close();
    },
  };
}

const attribute = ([key, stringValue]: readonly [string, string]) => ({ key, value: { stringValue } });

/** Attributes in the JSON form of OTLP. */
const attributesOf = (attributes: Readonly<Record<string, string>>) => Object.entries(attributes).map(attribute);

/** An instant in the JSON form of OTLP. @param milliseconds since 1970; parts of one count to the microsecond. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * 1000)).padStart(3, '0')}000`;
}

/** What measures. @param instance names this process among several. */
function resourceOf(instance: string) {
  return {
    attributes: attributesOf({ 'service.name': BRAND, 'service.instance.id': instance, 'host.name': hostname() }),
  };
}

/** Reports how a collector accepts events: once for each cause, and once when it takes it again. */
interface CollectorState {
  took(): void;
  refused(error: unknown): void;
}

/** @param what is sent: `Metrics`. @param then the consequence for data that was not accepted. */
function createCollectorState(what: string, then: string, report: Report): CollectorState {
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

import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { BRAND } from '@gateway/contract';
import { errorMessage } from '@gateway/contract/error-code';
import type { Collector } from '../export/destinations/collector.ts';
import type { Report } from '../process/report.ts';
import type { Span } from './tracer.ts';

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
const PERIOD = 2000;
/** Maximum number of waiting spans, and of spans in one request. Further ones are dropped. */
const MOST = 4096;
const TOGETHER = 512;
/** Milliseconds that the last export may delay the shutdown. */
const LAST = 2000;

export interface SpanExporterOptions {
  readonly collector: Collector;
  readonly report: Report;
  readonly period?: number;
}

export interface SpanExporter {
  add(span: Span): void;
  stop(): Promise<void>;
}

/** Sends spans a moment later. No call waits for it; spans that a collector does not take are lost: they are no record. */
export function startSpanExporter({ collector, report, period = PERIOD }: SpanExporterOptions): SpanExporter {
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
export const attributesOf = (attributes: Readonly<Record<string, string>>) => Object.entries(attributes).map(attribute);

/** An instant in the JSON form of OTLP. @param milliseconds since 1970; parts of one count to the microsecond. */
export function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds);
  return `${whole}${String(Math.floor((milliseconds - whole) * 1000)).padStart(3, '0')}000`;
}

/** What measures. @param instance names this process among several. */
export function resourceOf(instance: string) {
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

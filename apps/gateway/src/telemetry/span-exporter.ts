import { randomUUID } from 'node:crypto';
import { BRAND } from '@gateway/contract';
import type { Collector } from '../export/destinations/collector.ts';
import type { Report } from '../process/report.ts';
import { createCollectorState } from './collector-state.ts';
import { attributesOf, nanoseconds, resourceOf } from './otlp.ts';
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

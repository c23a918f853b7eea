import { BRAND } from '@gateway/contract';
import { attributesOf, nanoseconds, resourceOf } from './otlp.ts';
import type { Span } from './tracer.ts';

/** Kinds and the status of a failure, as OTLP numbers them. */
const KINDS = { server: 2, client: 3 } as const;
const FAILED = 2;

/** Spans as an ExportTraceServiceRequest in its JSON form (OTLP 1.x). */
export function spansBody(spans: readonly Span[], instance: string): string {
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

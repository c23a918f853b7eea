import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Version, trace, parent and flags (W3C Trace Context). A later version may append more. */
const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** The position of a call in its caller's trace. */
interface TraceContext {
  readonly traceId: string;
  /** The span of the caller. */
  readonly parentId: string;
  /** Two hexadecimal digits. */
  readonly flags: string;
}

/** @returns null where the caller has no trace, does not sample it, or wrote what cannot be read. */
export function readSampledContext(header: unknown): TraceContext | null {
  const [, version, traceId = '', parentId = '', flags = '', more] = HEADER.exec(String(header)) ?? [];
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return null;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return null;
  return (Number.parseInt(flags, 16) & SAMPLED) === 0 ? null : { traceId, parentId, flags };
}

/** The header for the next service. */
export function traceparentOf({ traceId, flags }: Pick<TraceContext, 'traceId' | 'flags'>, spanId: string): string {
  return `00-${traceId}-${spanId}-${flags}`;
}

/** A span in the form that is sent; times in milliseconds since 1970. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: 'server' | 'client';
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly failed: boolean;
}

/** The target of a call. */
export interface Destination {
  readonly endpoint: string;
  readonly provider: string;
  readonly model: string;
  readonly decisionId: string;
}

/** Begins the trace of a call. @returns null where its caller requests none. */
export type Tracer = (request: IncomingMessage) => CallTrace | null;

/** @param take gets each span once it has ended. */
export function createTracer(take: (span: Span) => void): Tracer {
  return (request) => {
    const context = readSampledContext(request.headers['traceparent']);
    return context === null ? null : new CallTrace(context, request.method ?? '', take);
  };
}

const newSpanId = (): string => randomBytes(8).toString('hex');
const now = (): number => performance.timeOrigin + performance.now();

/**
 * The two spans of a call: in the gateway, and at the provider. Their attributes name no person and contain no caller's text; the
 * decision's id identifies the log entry for authorized readers.
 */
export class CallTrace {
  readonly #context: TraceContext;
  readonly #method: string;
  readonly #take: (span: Span) => void;
  readonly #own = { id: newSpanId(), startedAt: now() };
  #upstream: { readonly id: string; readonly startedAt: number; readonly to: Destination } | null = null;
  #answered: number | null = null;

  constructor(context: TraceContext, method: string, take: (span: Span) => void) {
    this.#context = context;
    this.#method = method;
    this.#take = take;
  }

  /** The call is sent. @returns the header `traceparent` for it. */
  left(to: Destination): string {
    this.#upstream = { id: newSpanId(), startedAt: now(), to };
    return traceparentOf(this.#context, this.#upstream.id);
  }

  /** The provider answered with a status. */
  answered(status: number): void {
    this.#answered = status;
  }

  /** The answer has ended. @param status of the answer to the caller. @param whole whether all of it was sent. */
  ended(status: number, whole: boolean): void {
    const { traceId, parentId } = this.#context;
    const endedAt = now();
    const to = this.#upstream?.to;
    const named = { 'http.request.method': this.#method, ...(to && { 'gateway.endpoint': to.endpoint }) };
    if (this.#upstream !== null && to !== undefined) {
      const status = this.#answered === null ? 'none' : String(this.#answered);
      this.#take({
        traceId,
        spanId: this.#upstream.id,
        parentId: this.#own.id,
        name: `call ${to.model}`,
        kind: 'client',
        startedAt: this.#upstream.startedAt,
        endedAt,
        attributes: {
          ...named,
          'gateway.provider': to.provider,
          'gen_ai.request.model': to.model,
          'http.response.status_code': status,
        },
        failed: this.#answered === null || this.#answered >= 400,
      });
    }
    this.#take({
      traceId,
      spanId: this.#own.id,
      parentId,
      name: to === undefined ? this.#method : `${this.#method} /${to.endpoint}`,
      kind: 'server',
      startedAt: this.#own.startedAt,
      endedAt,
      attributes: {
        ...named,
        'http.response.status_code': String(status),
        ...(to && { 'gateway.decision.id': to.decisionId }),
      },
      failed: !whole || status >= 500,
    });
  }
}

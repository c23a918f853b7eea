/** Version, trace, parent and flags (W3C Trace Context). A later version may append more. */
const HEADER = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 1;

/** The position of a call in its caller's trace. */
export interface TraceContext {
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

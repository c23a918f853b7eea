import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal, SESSION_HEADER } from '@gateway/contract';

/** What the gateway itself reads of a request's headers, in one pass over the raw ones. */
export interface Head {
  /** Whole value of `Authorization`; empty counts as absent (specification, Authentication 1). */
  readonly authorization: string;
  /** Whole value of `x-api-key`; empty counts as absent. */
  readonly apiKey: string;
  readonly session: string | null;
  readonly requestId: string | null;
  readonly connection: string | null;
  readonly forwardedFor: string | null;
  /** Whether the caller waits for `100 Continue` before it sends its body. */
  readonly expectsContinue: boolean;
  /** Whether a body follows. */
  readonly hasBody: boolean;
  /** The declared length of the body in bytes, or null where it is chunked or absent. */
  readonly contentLength: number | null;
}

/** More headers than any client needs; Node.js drops silently what goes past its own bound, so ours comes first. */
export const MOST_HEADERS = 1000;

/** Two of these would let two parties read two different requests: node:http keeps the first or joins them. */
const ONLY_ONCE = new Set(['host', 'authorization', 'x-api-key', SESSION_HEADER, 'content-length']);

const INTERESTING = new Set([
  ...ONLY_ONCE,
  'x-request-id',
  'connection',
  'x-forwarded-for',
  'transfer-encoding',
  'expect',
]);

/** Reads the head, or refuses it with 400 or 431. */
export function readHead(request: IncomingMessage): Head | Refusal {
  const { rawHeaders } = request;
  if (rawHeaders.length > 2 * MOST_HEADERS) return refusal('too-many-headers');
  const found = new Map<string, string>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = interesting(rawHeaders[index]!);
    if (name === null) continue;
    const value = rawHeaders[index + 1]!;
    const before = found.get(name);
    if (before === undefined) found.set(name, value);
    else if (ONLY_ONCE.has(name)) return refusal('malformed-request', { details: { fault: `${name} is given twice` } });
    else if (name !== 'x-request-id') found.set(name, `${before}, ${value}`);
  }
  const length = found.get('content-length');
  return {
    authorization: found.get('authorization') ?? '',
    apiKey: found.get('x-api-key') ?? '',
    session: found.get(SESSION_HEADER) || null,
    requestId: found.get('x-request-id') || null,
    connection: found.get('connection') ?? null,
    forwardedFor: found.get('x-forwarded-for') ?? null,
    expectsContinue: found.has('expect'),
    hasBody: found.has('transfer-encoding') || (length !== undefined && length !== '0'),
    contentLength: length === undefined ? null : Number(length),
  };
}

/** Lengths of the names of interest: most headers are passed over without lower-casing them. */
const LENGTHS = new Set([...INTERESTING].map((name) => name.length));

function interesting(name: string): string | null {
  if (!LENGTHS.has(name.length)) return null;
  if (INTERESTING.has(name)) return name;
  const lower = name.toLowerCase();
  return INTERESTING.has(lower) ? lower : null;
}

import type { IncomingMessage } from 'node:http';
import { type Refusal, refusal, SESSION_HEADER } from '@gateway/contract';

/** The request headers that the gateway itself uses, from one pass over the raw ones. */
export interface Head {
  /** Whole value of `Authorization`; empty counts as absent (relay-8). */
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

/** More headers than any client needs; Node.js silently drops headers beyond its own bound, so ours applies first. */
export const MOST_HEADERS = 1000;

/** Two of these would let two parties read two different requests: node:http keeps the first or joins them. */
const ONLY_ONCE = new Set([
  'host',
  'authorization',
  'x-api-key',
  SESSION_HEADER,
  'content-length',
  'content-type',
  'content-encoding',
]);

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
  const refused = unreadable(request, found);
  if (refused !== null) return refused;
  const length = found.get('content-length');
  return {
    authorization: found.get('authorization') ?? '',
    apiKey: found.get('x-api-key') ?? '',
    session: decodeName(found.get(SESSION_HEADER)),
    requestId: decodeName(found.get('x-request-id')),
    connection: found.get('connection') ?? null,
    forwardedFor: found.get('x-forwarded-for') ?? null,
    expectsContinue: found.has('expect') && request.httpVersion !== '1.0',
    hasBody: found.has('transfer-encoding') || (length !== undefined && length !== '0'),
    contentLength: length === undefined ? null : Number(length),
  };
}

/** A name or an address, then an optional port (RFC 9110 section 7.2, RFC 3986 section 3.2.2). Node.js checks neither. */
const HOST = /^(?:\[[\w:.%~-]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(?::\d*)?$/i;

/**
 * The reasons for which RFC 9112 (sections 3.2 and 6.1) and RFC 9110 (section 10.1.1) let a server refuse a head that its parser
 * accepted.
 */
function unreadable({ httpVersion }: IncomingMessage, found: ReadonlyMap<string, string>): Refusal | null {
  const host = found.get('host');
  if (host === undefined ? httpVersion === '1.1' : !HOST.test(host)) {
    const fault = host === undefined ? 'host is missing' : 'host is not a host name or an address';
    return refusal('malformed-request', { details: { fault } });
  }
  const coding = found.get('transfer-encoding');
  // An intermediary may have read the chunks as the next request.
  if (coding !== undefined && httpVersion === '1.0') {
    return refusal('malformed-request', { details: { fault: 'HTTP/1.0 has no transfer coding' } });
  }
  // Any other coding is hop-by-hop: without it, the same bytes are another body.
  if (coding !== undefined && !/^chunked$/i.test(coding)) {
    return refusal('malformed-request', { details: { fault: 'its transfer coding is not chunked' } });
  }
  const expectation = found.get('expect');
  if (expectation === undefined || httpVersion === '1.0' || /^100-continue$/i.test(expectation)) return null;
  return refusal('expectation-unknown');
}

/**
 * A name as its owner wrote it: Node.js reads headers as Latin-1, most clients write UTF-8. A session is revoked by a name that
 * came as UTF-8 (gatewayctl, acts), and must be the same one here (refusals-7).
 */
function decodeName(value: string | undefined): string | null {
  if (value === undefined || value === '') return null;
  if (!NOT_ASCII.test(value)) return value;
  try {
    return UTF8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

const NOT_ASCII = /[\u0080-\u00ff]/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Lengths of the names of interest: most headers are skipped without lower-casing them. */
const LENGTHS = new Set([...INTERESTING].map((name) => name.length));

function interesting(name: string): string | null {
  if (!LENGTHS.has(name.length)) return null;
  if (INTERESTING.has(name)) return name;
  const lower = name.toLowerCase();
  return INTERESTING.has(lower) ? lower : null;
}

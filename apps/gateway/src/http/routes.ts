import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerNoRoute, answerRefusal } from './answer.ts';
import { type Head, readHead } from './head.ts';
import { discardRest } from './linger.ts';

/**
 * Serves one request below a mounted first segment; `rest` is the target after that segment, as written. It answers its own
 * exceptions and rejections. It reads a body with `readBody`, which also sends `100 Continue`.
 */
export type Handler = (request: IncomingMessage, response: ServerResponse, head: Head, rest: string) => void;

/** Serves everything that no mounted segment takes. */
export type RelayHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  head: Head,
  target: Target & { readonly segment: string },
) => void;

/**
 * The table of addresses (relay-1): documentation (`v`), agent execution (`_agent-execution`) and
 * the workstation control plane (`ide`) come before the relay, which takes the rest. A segment that nothing is mounted on
 * belongs to the relay, where no endpoint can have a reserved name.
 */
export interface Routes {
  readonly mounted: ReadonlyMap<string, Handler>;
  readonly relay: RelayHandler;
}

export function createRouter(routes: Routes): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const head = readHead(request);
    if ('code' in head) {
      refuse(request, response, head);
      return;
    }
    // Like CONNECT: an engine that answers it repeats every header that it got, its key too (relay-6).
    if (request.method === 'TRACE') {
      refuse(request, response, refusal('method-not-served'));
      return;
    }
    const target = readTarget(request.url ?? '');
    if ('code' in target) {
      refuse(request, response, target);
      return;
    }
    const { segment, rest } = target;
    if (segment === null) {
      discardRest(request);
      answerNoRoute(response);
      return;
    }
    const handler = routes.mounted.get(segment);
    if (handler === undefined) routes.relay(request, response, head, { segment, rest });
    else handler(request, response, head, rest);
  };
}

/** An ambiguous request ends its connection: where the next request begins is uncertain. */
function refuse(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  response.shouldKeepAlive = false;
  discardRest(request);
  answerRefusal(response, refused);
}

/** The raw request target, split after its first segment and never decoded (relay-2, relay-3). */
export interface Target {
  /** The first segment as written, or null where there is none (`/`, `//…`). */
  readonly segment: string | null;
  /** Everything after the first segment: empty, or beginning with `/` or `?`. */
  readonly rest: string;
}

/** Only origin-form targets are served: never another authority, never a fragment, never `*`. */
function readTarget(url: string): Target | Refusal {
  if (!url.startsWith('/')) {
    return refusal('malformed-request', { details: { fault: 'the request target must be a path' } });
  }
  if (url.includes('#')) {
    return refusal('malformed-request', { details: { fault: 'the request target has a fragment' } });
  }
  if (NOT_OF_A_TARGET.test(url)) {
    return refusal('malformed-request', {
      details: { fault: 'the request target contains bytes that are not allowed in one' },
    });
  }
  const end = endOfSegment(url);
  return end === 1 ? { segment: null, rest: '' } : { segment: url.slice(1, end), rest: url.slice(end) };
}

/** RFC 9112 section 3.2. */
const NOT_OF_A_TARGET = /[^\x21-\x7e]/;

function endOfSegment(url: string): number {
  const slash = url.indexOf('/', 1);
  const query = url.indexOf('?', 1);
  if (slash === -1) return query === -1 ? url.length : query;
  return query === -1 ? slash : Math.min(slash, query);
}

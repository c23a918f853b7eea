import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Refusal, refusal } from '@gateway/contract';
import { answerNoRoute, answerRefusal } from './answer.ts';
import { type Head, readHead } from './head.ts';
import { discardRest } from './linger.ts';
import { readTarget, type Target } from './target.ts';

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

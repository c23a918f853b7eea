import { createServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import type { Server as TlsServer } from 'node:tls';
import { refusal } from '@gateway/contract';
import { answerRefusal } from './answer.ts';
import { asHttp1, type Http1Exchange } from './http2-exchange.ts';

/** The sessions of HTTP/2 that are open. */
export interface Http2Sessions {
  /** Takes no new request on any of them; each ends when its last answer has. */
  close(): void;
  /** Ends them all at once. */
  destroy(): void;
}

export interface Http2Limits {
  /** Milliseconds a session without a request is kept. */
  readonly idleTimeout: number;
  readonly mostHeaderBytes: number;
  readonly mostHeaders: number;
}

/** Requests at once on one connection. */
const MOST_STREAMS = 256;
/** Megabytes that one session may hold. */
const SESSION_MEMORY = 16;

/** What a TLS server offers by ALPN, the first that the client knows too. */
export const PROTOCOLS = ['h2', 'http/1.1'];

/**
 * Lets a TLS server that serves HTTP/1.1 serve HTTP/2 too: connections whose client chose `h2` are taken before the HTTP/1.1
 * parser sees them, and every stream of them becomes a request to the same handler.
 */
export function serveHttp2(
  server: TlsServer,
  handler: (...exchange: Http1Exchange) => void,
  limits: Http2Limits,
): Http2Sessions {
  const sessions = new Set<ServerHttp2Session>();
  const http2 = createServer({
    maxSessionMemory: SESSION_MEMORY,
    maxHeaderListPairs: limits.mostHeaders,
    // An answer goes on as the provider gave it; for Node.js to throw at a second Date would be for nobody's good.
    strictSingleValueFields: false,
    settings: {
      maxConcurrentStreams: MOST_STREAMS,
      maxHeaderListSize: limits.mostHeaderBytes,
      enableConnectProtocol: false,
    },
  });
  const serve = (asked: Http2ServerRequest, answering: Http2ServerResponse): void => {
    // A stream that was reset at once says nothing any more, not even that it closed: nobody would ever give up on it.
    if (answering.stream.closed || answering.stream.destroyed) return;
    handler(...asHttp1(asked, answering));
  };
  http2.on('request', serve);
  http2.on('checkContinue', serve);
  http2.on('checkExpectation', serve);
  http2.on('connect', (asked: Http2ServerRequest, answering: Http2ServerResponse) => {
    const [, response] = asHttp1(asked, answering);
    answerRefusal(response, refusal('method-not-served'));
  });
  http2.on('sessionError', () => {}); // one peer's fault; its session ends by itself
  http2.on('session', (session) => {
    let streams = 0;
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('stream', (stream) => {
      streams += 1;
      stream.once('close', () => (streams -= 1));
    });
    session.setTimeout(limits.idleTimeout, () => {
      if (streams === 0) session.close();
    });
  });
  const [serveHttp1] = server.listeners('secureConnection') as ((socket: unknown) => void)[];
  server.removeAllListeners('secureConnection');
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === 'h2') http2.emit('connection', socket);
    else serveHttp1?.call(server, socket);
  });
  return {
    close() {
      for (const session of sessions) session.close();
    },
    destroy() {
      for (const session of sessions) session.destroy();
    },
  };
}

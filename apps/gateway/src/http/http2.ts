import { createServer, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Session } from 'node:http2';
import type { Server as TlsServer } from 'node:tls';
import { refusal } from '@gateway/contract';
import { answerRefusal } from './answer.ts';
import { asHttp1, type Http1Exchange } from './http2-exchange.ts';

/** The sessions of HTTP/2 that are open. */
export interface Http2Sessions {
  /** Accepts no new request on any session; each ends after its last answer. */
  close(): void;
  /** Ends all sessions immediately. */
  destroy(): void;
}

export interface Http2Limits {
  /** Milliseconds a session without a request stays open. */
  readonly idleTimeout: number;
  readonly mostHeaderBytes: number;
  readonly mostHeaders: number;
}

/** Concurrent requests on one connection. */
const MOST_STREAMS = 256;
/** Maximum memory of one session in megabytes. */
const SESSION_MEMORY = 16;

/** The protocols that a TLS server offers by ALPN; the first that the client supports is used. */
export const PROTOCOLS = ['h2', 'http/1.1'];

/**
 * Adds HTTP/2 to a TLS server of HTTP/1.1: connections whose client chose `h2` bypass the HTTP/1.1 parser, and each of their
 * streams becomes a request to the same handler.
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
    // The provider's answer is forwarded unchanged; Node.js must not throw at a second Date.
    strictSingleValueFields: false,
    settings: {
      maxConcurrentStreams: MOST_STREAMS,
      maxHeaderListSize: limits.mostHeaderBytes,
      enableConnectProtocol: false,
    },
  });
  const serve = (asked: Http2ServerRequest, answering: Http2ServerResponse): void => {
    // A stream that was reset immediately emits no event, not even close, so its resources would never be released.
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

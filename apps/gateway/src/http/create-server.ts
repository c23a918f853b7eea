import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { rememberPeer } from '@gateway/configuration';
import { envelopeOf, type Refusal, refusal, statusOf } from '@gateway/contract';
import type { CertificateFiles } from '../config/certificate-pair.ts';
import { REFUSALS } from './answer.ts';
import { isDiscarding } from './linger.ts';

/** Requests that may wait on one connection. Node.js does not stop reading, so more of them end the connection. */
const MOST_WAITING = 256;

const waiting = new WeakMap<Socket, number>();

/**
 * Serves the requests of one connection one after the other, even if a caller pipelines them (RFC 9112 section 9.3.2). Node.js
 * emits all of them at once: aborting one answer would also cut the previous one, and a caller who leaves would not end the
 * queued ones.
 */
function serveInTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  const { socket } = request;
  if (response.socket !== null) {
    begin(socket, response);
    serve();
    return;
  }
  count(socket, 1);
  // Node.js assigns the connection to the response after the previous one ended, and never if the connection has closed by then.
  response.once('socket', () => {
    count(socket, -1);
    begin(socket, response);
    process.nextTick(() => {
      if (!response.destroyed) serve();
    });
  });
}

function count(socket: Socket, change: 1 | -1): void {
  const now = (waiting.get(socket) ?? 0) + change;
  waiting.set(socket, now);
  if (now > MOST_WAITING) socket.destroy();
}

const current = new WeakMap<Duplex, ServerResponse>();

function begin(socket: Duplex, response: ServerResponse): void {
  current.set(socket, response);
  response.once('close', () => {
    if (current.get(socket) === response) current.delete(socket);
  });
}

/** The answer that is being written on a connection. */
function answerOn(socket: Duplex): ServerResponse | null {
  return current.get(socket) ?? null;
}

const unreadable = new WeakSet<Duplex>();

/** Refuses unreadable input on a connection, once: after the answers to the complete requests before it. */
function afterAnswers(socket: Duplex, refuse: () => void): void {
  if (unreadable.has(socket)) return;
  unreadable.add(socket);
  const next = (): void => {
    const answer = answerOn(socket);
    if (answer?.req.complete === true) answer.once('close', next);
    else refuse();
  };
  next();
}

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServerSettings {
  /** Milliseconds until a request must have arrived whole. */
  readonly requestTimeout: number;
  /** Files of the service's certificate, checked at start; null: plain HTTP. */
  readonly tls: CertificateFiles | null;
}

/** Milliseconds until the headers must have arrived. */
const HEADERS_TIMEOUT = 30_000;

/** Milliseconds an idle connection stays open: longer than the usual 60 s of a load balancer before it. */
const KEEP_ALIVE_TIMEOUT = 65_000;

/** A client that does not finish its handshake is not waited for. */
const HANDSHAKE = { handshakeTimeout: 30_000 };

/** Bytes of all headers: a directory token fits many times. */
const MOST_HEADER_BYTES = 64 * 1024;

/** The parser of Node.js takes others too, which have another form: 0.9, and 2.0 written as text. */
const VERSIONS: ReadonlySet<string> = new Set(['1.0', '1.1']);

/** An offer of HTTP/2 in clear, which Java's client makes by default: it may be ignored (RFC 9110 section 7.8). */
const ONLY_H2C = /^\s*h2c\s*$/i;

const NOT_HTTP = refusal('malformed-request', { details: { fault: 'it is not HTTP/1.1 as RFC 9112 defines it' } });

/**
 * The HTTP/1.1 server of every address: strict parser, raw target, no upgrade, no tunnel. An offer of h2c is ignored. `Expect: 100-continue` is left
 * to the handler, so that credentials are checked before the 100.
 */
export function createHttpServer(handler: RequestHandler, { requestTimeout, tls }: ServerSettings): Server {
  const options: ServerOptions = {
    insecureHTTPParser: false,
    requireHostHeader: false, // the head is refused without one, in the envelope
    maxHeaderSize: MOST_HEADER_BYTES,
    headersTimeout: Math.min(HEADERS_TIMEOUT, requestTimeout),
    requestTimeout,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    connectionsCheckingInterval: Math.min(5000, requestTimeout),
    noDelay: true,
    shouldUpgradeCallback: ({ headers }) => !ONLY_H2C.test(headers.upgrade ?? ''),
  };
  const server =
    tls === null ? createServer(options) : createTlsServer({ ...options, ...readCertificate(tls), ...HANDSHAKE });
  server.maxHeadersCount = 0; // the head's own bound answers 431; Node.js would drop the last headers silently
  for (const event of ['request', 'checkContinue', 'checkExpectation']) {
    server.on(event, (request: IncomingMessage, response: ServerResponse) => {
      serveInTurn(request, response, () => {
        if (VERSIONS.has(request.httpVersion)) handler(request, response);
        else refuseOnSocket(request.socket, NOT_HTTP);
      });
    });
  }
  server.on('connect', (_, socket) => refuseOnSocket(socket, refusal('method-not-served')));
  server.on('upgrade', (_, socket) => refuseOnSocket(socket, refusal('method-not-served')));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || hasLeft(error, socket)) socket.destroy();
    else afterAnswers(socket, () => refuseOnSocket(socket, refusalOf(error)));
  });
  server.on(tls === null ? 'connection' : 'secureConnection', rememberPeer);
  return server;
}

/**
 * Uses a renewed certificate for new connections; open ones keep theirs.
 * @throws where the files are not a certificate and its key: the old pair stays
 */
export function reloadCertificate(server: Server, tls: CertificateFiles): void {
  if (server instanceof TlsServer) server.setSecureContext(readCertificate(tls));
}

function readCertificate({ certificateFile, keyFile }: CertificateFiles) {
  return { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
}

/** A caller that closes the connection during a request does not wait for the previous answer either. */
function hasLeft({ code }: NodeJS.ErrnoException, socket: Duplex): boolean {
  return code === 'HPE_INVALID_EOF_STATE' && answerOn(socket)?.req.complete === true;
}

function refusalOf({ code }: NodeJS.ErrnoException): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal('too-many-headers');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal('request-too-slow');
  return NOT_HTTP;
}

/** Whether no answer may be written on this connection: one has begun, or the previous request is still arriving. */
function isAnswered(socket: Duplex): boolean {
  const answer = answerOn(socket);
  return answer === null ? isDiscarding(socket) : answer.headersSent;
}

/** Unparsable input has no response object: the refusal is written directly and the connection ends. */
function refuseOnSocket(socket: Duplex, refused: Refusal): void {
  if (!socket.writable || isAnswered(socket)) {
    socket.destroy();
    return;
  }
  REFUSALS.publish(refused);
  const body = JSON.stringify(envelopeOf(refused));
  const status = statusOf(refused);
  socket.on('error', () => {});
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

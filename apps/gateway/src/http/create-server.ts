import { X509Certificate } from 'node:crypto';
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
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as TlsServer } from 'node:tls';
import { addressOf, listeningFault, rememberPeer } from '@gateway/configuration';
import { envelopeOf, type Refusal, refusal, statusOf } from '@gateway/contract';
import type { CertificateFiles } from '../config/certificate-pair.ts';
import { PackedSet, type Slotted } from '../process/packed-set.ts';
import { StartupFault } from '../process/report.ts';
import { REFUSALS } from './answer.ts';
import { cut as cutAnswer, isDiscarding, sayLastWords } from './linger.ts';

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

/** Milliseconds for complete answers to reach slow readers. */
const LEAVING = 1000;

/** Milliseconds for the last words of cut streams. */
const LAST_WORDS = 200;

/** Ends a server: no new connection, no further request on an open one; running answers end by themselves or at the deadline. */
interface Draining {
  /** Called with every answer that begins. @returns whether the request is still accepted. */
  track(response: ServerResponse): boolean;
  /** Accepts nothing new, and waits for every answer to end, within a bound. */
  drain(milliseconds: number): Promise<void>;
  /** Ends every connection; answers that are written whole leave first. @returns how many answers were cut. */
  cut(): Promise<number>;
}

interface RunningAnswer extends Slotted {
  readonly response: ServerResponse;
}

export function createDraining(server: Server): Draining {
  const running = new PackedSet<RunningAnswer>();
  let draining = false;
  let ended = (): void => {};
  /** Resolves once no such answer is left, at the latest after the given milliseconds. */
  const none = (such: (response: ServerResponse) => boolean, milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      ended = () => {
        if (running.all().some(({ response }) => such(response))) return;
        clearTimeout(timer);
        resolve();
      };
      ended();
    });
  return {
    track(response) {
      // A connection that stays open would send its next request to a process that is about to end.
      if (draining) response.shouldKeepAlive = false;
      const answer: RunningAnswer = { response, slot: -1 };
      running.add(answer);
      response.on('close', () => {
        running.delete(answer);
        ended();
      });
      return !draining;
    },
    async drain(milliseconds) {
      draining = true;
      server.close();
      server.closeIdleConnections();
      for (const { response } of running.all()) response.shouldKeepAlive = false;
      await none(() => true, milliseconds);
    },
    async cut() {
      await none(({ writableEnded }) => writableEnded, LEAVING);
      const cut = running.size;
      const leaving = new Set<ServerResponse>();
      for (const { response } of running.all()) {
        if (!sayLastWords(response, refusal('ending'))) continue;
        cutAnswer(response);
        leaving.add(response);
      }
      await none((response) => leaving.has(response), LAST_WORDS);
      server.closeAllConnections();
      return cut;
    },
  };
}

/** Where a service listens. */
interface Listening {
  readonly port: number;
  /** Null: every address of this machine. */
  readonly host: string | null;
  /** Whether other gateways of this machine may listen there too: the system distributes connections among them. */
  readonly sharePort: boolean;
}

/** Opens the port. @returns the address for a person: `http://host:port`. */
export async function listen(server: NetServer, { port, host, sharePort }: Listening, scheme: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new StartupFault(listeningFault(error, host, port))));
    server.listen({ port, reusePort: sharePort, ...(host === null ? {} : { host }) }, resolve);
  });
  return addressOf(scheme, host, (server.address() as AddressInfo).port);
}

/** When a certificate ends. */
export const endOfTerm = (certificateFile: string): Date =>
  new X509Certificate(readFileSync(certificateFile)).validToDate;

/** The warning about a certificate that is expired or not yet valid; null while it is valid. */
export function termNotice(certificateFile: string, now: number): string | null {
  const { validFromDate, validToDate } = new X509Certificate(readFileSync(certificateFile));
  const certificate = 'TLS_CERT_FILE: callers refuse the certificate, which';
  if (now > validToDate.getTime()) return `${certificate} expired on ${validToDate.toISOString()}.`;
  if (now < validFromDate.getTime()) return `${certificate} is not valid before ${validFromDate.toISOString()}.`;
  return null;
}

import { connect, type Socket } from 'node:net';
import type { AnswerHead } from './answer-head.ts';
import { AnswerReader, type AnswerSink } from './answer-reader.ts';
import type { AnswerHandler, BaseUrl, UpstreamExchange, UpstreamRequest } from './client.ts';

/** Bytes up to which a body is copied behind its head: two writes cost more. */
const MOST_COPIED = 16 * 1024;

/** Methods whose requests have a length also where their body is empty. */
const WITH_LENGTH = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

const METHOD = /^[!#$%&'*+.^_`|~\w-]+$/;
const NOT_OF_A_TARGET = /[^\x21-\xff]/;
const NOT_OF_A_VALUE = /[^\t\x20-\x7e\x80-\xff]/;

/** Where a provider listens, and how `Host` names it. */
type Origin = Pick<BaseUrl, 'hostname' | 'port' | 'authority'>;

/** The callbacks of a connection to its pool. Times are in ticks of the pool's clock. */
interface ConnectionOwner {
  readonly origin: Origin;
  readonly now: number;
  /** The connection may serve another request. */
  onIdle(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** A request on its way, with the handler of its answer. */
class Exchange implements UpstreamExchange {
  readonly request: PlainRequest;
  readonly handler: AnswerHandler;
  connection: Connection | null = null;
  isAborted = false;

  constructor(request: PlainRequest, handler: AnswerHandler) {
    this.request = request;
    this.handler = handler;
  }

  abort(): void {
    this.isAborted = true;
    this.connection?.drop(this);
  }

  resume(): void {
    this.connection?.resume(this);
  }
}

/** All connections read into one buffer: each read ends before the next one begins. */
const READ = Buffer.allocUnsafeSlow(64 * 1024);

/** Milliseconds without traffic after which the system checks whether the provider is still there. */
const KEEP_ALIVE_PROBE_MS = 60_000;

/** Subtracted from the provider's announced idle time, so that no request meets the end of the connection. */
const KEEP_ALIVE_MARGIN_MS = 2_000;
const KEEP_ALIVE_MS = 4_000;
const MOST_KEEP_ALIVE_MS = 600_000;

const OTHER_SIDE_CLOSED = 'other side closed';

/** A connection to a provider, which serves one request at a time. */
class Connection implements AnswerSink {
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  readonly #reader = new AnswerReader(this);
  #exchange: Exchange | null = null;
  #keepsAlive = false;
  isConnected = false;
  isPaused = false;
  /** Whether the head of the answer has arrived. */
  isAnswering = false;
  /** Milliseconds that it stays open while idle. */
  keptForMs = KEEP_ALIVE_MS;
  /** When it was opened, last read from, or became idle. */
  lastUsed: number;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    this.lastUsed = owner.now;
    const { hostname, port } = owner.origin;
    const onread = { buffer: READ, callback: this.#read };
    this.#socket = connect({ host: hostname, port, noDelay: true, onread });
    this.#socket.setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
    this.#socket.once('connect', () => {
      this.isConnected = true;
      this.lastUsed = owner.now;
    });
    this.#socket.on('error', (error) => this.break(error, !this.isConnected));
    this.#socket.on('end', () => {
      if (this.#reader.close()) return;
      this.break(new Error(OTHER_SIDE_CLOSED));
    });
    this.#socket.on('close', () => this.break(new Error(OTHER_SIDE_CLOSED)));
  }

  get isIdle(): boolean {
    return this.#exchange === null;
  }

  send(exchange: Exchange): void {
    this.#exchange = exchange;
    exchange.connection = this;
    this.isAnswering = false;
    this.#reader.expect(exchange.request.method === 'HEAD');
    writeRequest(this.#socket, exchange.request, this.#owner.origin.authority);
  }

  /** The answer to a request is no longer needed. */
  drop(exchange: Exchange): void {
    if (this.#exchange !== exchange) return;
    this.#exchange = null;
    this.#close();
  }

  resume(exchange: Exchange): void {
    if (this.#exchange !== exchange || !this.isPaused) return;
    this.isPaused = false;
    this.lastUsed = this.#owner.now;
    this.#socket.resume();
  }

  /** Ends it, and the exchange that it serves. @param isUnsent it was never connected, so nothing can have left. */
  break(error: Error, isUnsent = false): void {
    const exchange = this.#exchange;
    this.#exchange = null;
    this.#close();
    if (exchange === null) return;
    exchange.connection = null;
    exchange.handler.failed(error, isUnsent);
  }

  #close(): void {
    this.#reader.stop();
    this.#socket.destroy();
    this.#owner.onClosed(this);
  }

  readonly #read = (size: number): boolean => {
    this.lastUsed = this.#owner.now;
    // Unrequested bytes must never be read as the answer to a later request.
    if (this.#exchange === null) {
      this.#close();
      return true;
    }
    try {
      if (!this.#reader.read(READ.subarray(0, size))) this.#close();
    } catch (error) {
      this.break(error as Error);
    }
    return true;
  };

  interim({ status, headers }: AnswerHead): void {
    this.#exchange?.handler.interim(status, headers);
  }

  head({ status, reason, headers, keepsAlive, keepAliveSeconds }: AnswerHead): void {
    this.isAnswering = true;
    this.keptForMs =
      keepAliveSeconds === null
        ? KEEP_ALIVE_MS
        : Math.min(keepAliveSeconds * 1000 - KEEP_ALIVE_MARGIN_MS, MOST_KEEP_ALIVE_MS);
    this.#keepsAlive = keepsAlive && this.keptForMs > 0;
    this.#exchange?.handler.head(status, reason, headers);
  }

  data(bytes: Buffer): void {
    const exchange = this.#exchange;
    if (exchange === null || exchange.handler.data(bytes) || this.#exchange !== exchange) return;
    this.isPaused = true;
    this.#socket.pause();
  }

  end(): void {
    const exchange = this.#exchange;
    if (exchange === null) return;
    this.#exchange = null;
    exchange.connection = null;
    if (this.isPaused) this.#socket.resume();
    this.isPaused = false;
    // The rest of a request that was answered early would precede the next one.
    if (this.#keepsAlive && this.#socket.writableLength === 0) this.#owner.onIdle(this);
    else this.#close();
    exchange.handler.end();
  }
}

export interface PlainClientOptions {
  /** Maximum silence in the body of an answer, in milliseconds. */
  readonly idleTimeout: number;
  /** Milliseconds of a tick. Default 500; an answer that does not end is broken off up to a tick late. */
  readonly tick?: number;
  /** Milliseconds until a connection has to be made. Default 10,000: as long as undici waits. */
  readonly connectTimeout?: number;
}

const TICK_MS = 500;
/** What undici calls it, too. */
const STALLED = 'UND_ERR_BODY_TIMEOUT';
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Plain HTTP/1.1 to one provider, with bodies that are whole. Answers are read where they arrive, and requests leave in one write:
 * with it a call takes .88 to .92 of the gateway's processor time with undici. A connection serves one request at a time.
 */
export class PlainClient implements ConnectionOwner {
  readonly origin: Origin;
  readonly #tickMs: number;
  readonly #idleTicks: number;
  readonly #connectTicks: number;
  readonly #connections = new Set<Connection>();
  #idle: Connection[] = [];
  /** Requests of this turn of the event loop. */
  #leaving: Exchange[] = [];
  #timer: NodeJS.Timeout | null = null;
  #isClosing = false;
  now = 0;

  constructor(
    origin: Origin,
    { idleTimeout, tick = TICK_MS, connectTimeout = CONNECT_TIMEOUT_MS }: PlainClientOptions,
  ) {
    this.origin = origin;
    this.#tickMs = tick;
    this.#idleTicks = this.#ticks(idleTimeout);
    this.#connectTicks = this.#ticks(connectTimeout);
  }

  /** The request is sent after this turn of the event loop has read every connection: unrequested data closes it first. */
  send(request: PlainRequest, handler: AnswerHandler): UpstreamExchange {
    const exchange = new Exchange(request, handler);
    if (this.#leaving.push(exchange) === 1) setImmediate(this.#leave);
    return exchange;
  }

  close(): void {
    this.#isClosing = true;
    for (const connection of this.#idle.splice(0)) connection.break(new Error('closed'));
  }

  destroy(): void {
    this.#isClosing = true;
    for (const exchange of this.#leaving.splice(0))
      if (!exchange.isAborted) exchange.handler.failed(new Error('closed'), false);
    for (const connection of this.#connections) connection.break(new Error('closed'));
  }

  onIdle(connection: Connection): void {
    connection.lastUsed = this.now;
    if (this.#isClosing) connection.break(new Error('closed'));
    else this.#idle.push(connection);
  }

  onClosed(connection: Connection): void {
    if (!this.#connections.delete(connection)) return;
    const at = this.#idle.indexOf(connection);
    if (at >= 0) this.#idle.splice(at, 1);
  }

  readonly #leave = (): void => {
    const leaving = this.#leaving;
    this.#leaving = [];
    for (const exchange of leaving) {
      if (exchange.isAborted) continue;
      const connection = this.#idle.pop() ?? this.#open();
      try {
        connection.send(exchange);
      } catch (error) {
        connection.break(error as Error);
      }
    }
  };

  #open(): Connection {
    const connection = new Connection(this);
    this.#connections.add(connection);
    this.#timer ??= setInterval(this.#tick, this.#tickMs).unref();
    return connection;
  }

  readonly #tick = (): void => {
    this.now += 1;
    for (const connection of this.#connections) {
      const reason = this.#overdue(connection);
      if (reason !== null) connection.break(reason, !connection.isConnected);
    }
    if (this.#connections.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  };

  /** Why a connection has to end now; null: it has not. */
  #overdue({ isConnected, isIdle, isAnswering, isPaused, keptForMs, lastUsed }: Connection): Error | null {
    const ticks = this.now - lastUsed;
    if (!isConnected) return ticks > this.#connectTicks ? late('the connection timed out') : null;
    if (isIdle) return ticks >= this.#ticks(keptForMs) ? late('idle for too long') : null;
    return isAnswering && !isPaused && ticks > this.#idleTicks ? late('its answer stalled', STALLED) : null;
  }

  #ticks(milliseconds: number): number {
    return Math.ceil(milliseconds / this.#tickMs);
  }
}

const late = (message: string, code = 'ETIMEDOUT'): Error => Object.assign(new Error(message), { code });

/** A request whose body is whole. */
export interface PlainRequest extends UpstreamRequest {
  readonly body: Buffer | null;
}

/** Writes a request. @throws TypeError where it would be read as another one. */
function writeRequest(socket: Socket, { method, path, headers, body }: PlainRequest, host: string): void {
  if (!METHOD.test(method)) throw new TypeError('invalid method');
  if (NOT_OF_A_TARGET.test(path)) throw new TypeError('invalid request path');
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] as string;
    const value = headers[at + 1] as string;
    if (NOT_OF_A_VALUE.test(value) || !METHOD.test(name)) throw new TypeError(`invalid ${name.slice(0, 100)} header`);
    head += `${name}: ${value}\r\n`;
  }
  const length = body?.length ?? 0;
  if (length > 0 || WITH_LENGTH.has(method)) head += `content-length: ${length}\r\n`;
  head += '\r\n';
  if (body === null) socket.write(head, 'latin1');
  else if (length <= MOST_COPIED) {
    // Outside of V8's heap: as a text, head and body would be a third of what a call allocates there.
    const whole = Buffer.allocUnsafe(head.length + length);
    whole.write(head, 'latin1');
    body.copy(whole, head.length);
    socket.write(whole);
  } else {
    socket.cork();
    socket.write(head, 'latin1');
    socket.write(body);
    socket.uncork();
  }
}

import { connect, type Socket } from 'node:net';
import type { BaseUrl } from '../request/base-url.ts';
import type { AnswerHandler, UpstreamExchange } from '../request/client.ts';
import type { AnswerHead } from './answer-head.ts';
import { AnswerReader, type AnswerSink } from './answer-reader.ts';
import { type PlainRequest, writeRequest } from './request.ts';

/** Where a provider listens, and how `Host` names it. */
export type Origin = Pick<BaseUrl, 'hostname' | 'port' | 'authority'>;

/** The callbacks of a connection to its pool. Times are in ticks of the pool's clock. */
export interface ConnectionOwner {
  readonly origin: Origin;
  readonly now: number;
  /** The connection may serve another request. */
  onIdle(connection: Connection): void;
  onClosed(connection: Connection): void;
}

/** A request on its way, with the handler of its answer. */
export class Exchange implements UpstreamExchange {
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
export class Connection implements AnswerSink {
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

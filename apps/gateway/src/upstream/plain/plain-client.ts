import type { AnswerHandler, UpstreamExchange } from '../request/client.ts';
import { Connection, type ConnectionOwner, Exchange, type Origin } from './connection.ts';
import type { PlainRequest } from './request.ts';

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

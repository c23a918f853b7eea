import { Agent, request } from 'node:http';
import type { Random } from '../support/random.ts';
import type { Order, Way } from './engine.ts';
import { WAYS } from './engine.ts';

/** What callers saw. */
export interface Observed {
  /** Calls that were started. */
  requests: number;
  /** Answers by status; 0 where there was none. */
  readonly statuses: Map<number, number>;
  /** Calls answered completely with status 200, by kind of answer and current faults. */
  readonly whole: Map<string, string>;
  /** Calls that got an answer, or a part of one, that belongs to another call. */
  readonly crossed: string[];
  /** Current faults. */
  phase: string;
  /** When a call was last answered with 200, on the clock of `performance.now()`, and the longest time without one. */
  readonly served: { at: number; silenceMs: number };
}

export interface Callers {
  readonly observed: Observed;
  /**
   * Makes one call, apart from those that run. Resolves with its status, 0 where no answer came.
   * @param proof key or token; the one that is next in turn where it is absent
   */
  call(way: Way, proof?: string): Promise<number>;
  /** While paused, running calls end and no new ones begin. */
  pause(): Promise<void>;
  resume(): void;
  stop(): Promise<void>;
}

/** Time after which a caller disconnects. */
const PATIENCE_MS = 10_000;
/** Chosen more often than the faulty ways. */
export const USUAL: readonly Way[] = ['plain', 'stream', 'late'];

/**
 * Callers that each send the next call as soon as the last one is answered.
 * @param proof the key or token that a call is made with
 * @param port of the gateway that a call goes to
 * @param ways in which the engine answers
 */
export function startCallers(
  count: number,
  proof: (call: number) => string,
  port: (call: number) => number,
  random: Random,
  ways: readonly Way[] = WAYS,
): Callers {
  const served = { at: performance.now(), silenceMs: 0 };
  const observed: Observed = {
    requests: 0,
    statuses: new Map(),
    whole: new Map(),
    crossed: [],
    phase: 'start',
    served,
  };
  const agent = new Agent({ keepAlive: true });
  let resumed: PromiseWithResolvers<void> | null = null;
  let isStopped = false;

  function call(way: Way, given?: string): Promise<number> {
    const number = observed.requests;
    observed.requests += 1;
    const order: Order = { id: `call-${number}`, nonce: `nonce-${number}-${random.below(2 ** 32).toString(36)}`, way };
    return send(order, port(number), given ?? proof(number)).then(({ status, text, isWhole }) => {
      observed.statuses.set(status, (observed.statuses.get(status) ?? 0) + 1);
      if (status !== 200) return status;
      const now = performance.now();
      served.silenceMs = Math.max(served.silenceMs, now - served.at);
      served.at = now;
      const nonces = text.match(/nonce-\d+-\w+/g) ?? [];
      const lacks = isWhole && nonces.length === 0;
      // An answer that broke off may end within the nonce.
      const isOwn = (nonce: string): boolean => nonce === order.nonce || (!isWhole && order.nonce.startsWith(nonce));
      if (lacks || !nonces.every(isOwn)) {
        observed.crossed.push(`${order.id} (${way}, ${observed.phase}, ${order.nonce}): ${text.slice(0, 300)}`);
      }
      if (isWhole) observed.whole.set(order.id, `${way}, ${observed.phase}`);
      return status;
    });
  }

  function send(order: Order, to: number, key: string): Promise<{ status: number; text: string; isWhole: boolean }> {
    const body = JSON.stringify({
      model: 'any',
      stream: order.way === 'stream' || order.way === 'reset' || order.way === 'silent',
      messages: [{ role: 'user', content: JSON.stringify(order) }],
    });
    return new Promise((resolve) => {
      const outgoing = request({
        agent,
        host: '127.0.0.1',
        port: to,
        path: '/chat/v1/chat/completions',
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-request-id': order.id,
        },
      });
      const patience = setTimeout(() => outgoing.destroy(), order.way === 'silent' ? 100 : PATIENCE_MS);
      const none = (): void => {
        clearTimeout(patience);
        resolve({ status: 0, text: '', isWhole: false });
      };
      outgoing.once('error', none);
      outgoing.once('response', (incoming) => {
        let text = '';
        incoming.setEncoding('utf8').on('data', (part: string) => {
          text += part;
        });
        incoming.on('error', () => {});
        incoming.once('close', () => {
          clearTimeout(patience);
          resolve({ status: incoming.statusCode ?? 0, text, isWhole: incoming.complete });
        });
      });
      outgoing.end(body);
    });
  }

  async function caller(): Promise<void> {
    await resumed?.promise;
    if (isStopped) return;
    const status = await call(random.below(10) < 8 ? random.pick(USUAL) : random.pick(ways));
    // Without this, callers of a gateway that is away would only measure how fast a connection is refused.
    if (status === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  async function untilStopped(): Promise<void> {
    for (const isRunning = () => !isStopped; isRunning(); ) await caller();
  }

  let running = Array.from({ length: count }, untilStopped);
  return {
    observed,
    call,
    async pause() {
      isStopped = true;
      await Promise.all(running);
      isStopped = false;
      resumed = Promise.withResolvers();
      running = Array.from({ length: count }, untilStopped);
    },
    resume() {
      resumed?.resolve();
      resumed = null;
    },
    async stop() {
      isStopped = true;
      resumed?.resolve();
      await Promise.all(running);
      agent.destroy();
    },
  };
}

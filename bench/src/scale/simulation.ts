import { randomOf } from '../../../tests/support/random.ts';
import { quantile } from '../load/statistics.ts';
import type { TurnCost } from './turns.ts';

export interface Deployment {
  readonly logs: number;
  /** Gateways of each log. */
  readonly gateways: number;
  /** Calls a second, of all together. */
  readonly rate: number;
}

/** What a deployment does with its calls. */
export interface Simulated {
  /** Calls a second whose decision was written within the time. */
  readonly served: number;
  /** Share of the time in which the lock of a log is held. */
  readonly busy: number;
  /** Milliseconds from a call's arrival until its decision is written. */
  readonly p50: number;
  readonly p99: number;
}

/** Decisions of one turn, as the gateway limits them. */
const LIMIT = 512;

/**
 * Simulates the turns of one log: calls arrive at random at each gateway; gateways take turns in the order in which they asked;
 * a turn takes everything that waits at its gateway, up to the limit. Logs do not affect each other, so one stands for all.
 * @param milliseconds of simulated time
 */
export function simulate(
  { logs, gateways, rate }: Deployment,
  cost: TurnCost,
  milliseconds: number,
  seed: number,
): Simulated {
  const random = randomOf(seed);
  const between = (1000 * logs) / rate;
  const pause = (): number => -Math.log(1 - random.below(2 ** 32) / 2 ** 32) * between;
  const waiting: number[][] = Array.from({ length: gateways }, () => []);
  const queue: number[] = [];
  const waits: number[] = [];
  let busy = 0;
  let now = 0;
  let next = pause();
  const arrive = (until: number): void => {
    for (; next <= until; next += pause()) {
      const at = random.below(gateways);
      if (waiting[at]?.length === 0) queue.push(at);
      waiting[at]?.push(next);
    }
  };
  while (now < milliseconds) {
    if (queue.length === 0) {
      now = next;
      arrive(now);
      continue;
    }
    const at = queue.shift() ?? 0;
    const batch = waiting[at]?.splice(0, LIMIT) ?? [];
    const time = cost.fixed + cost.each * batch.length;
    arrive(now + time); // while the turn lasts, its gateway asks for the next one
    if ((waiting[at]?.length ?? 0) > 0 && !queue.includes(at)) queue.push(at);
    now += time;
    busy += time;
    for (const arrival of batch) waits.push(now - arrival);
  }
  return {
    served: (1000 * logs * waits.length) / now,
    busy: busy / now,
    p50: quantile(waits, 0.5),
    p99: quantile(waits, 0.99),
  };
}

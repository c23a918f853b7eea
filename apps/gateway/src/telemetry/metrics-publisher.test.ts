import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Counter } from './instruments.ts';
import { publishMetrics } from './open.ts';

let calls: Counter;
let posted: number[];
let post: (signal: AbortSignal) => Promise<unknown>;
let settle: () => Promise<void>;
let said: string[];
let last: AbortController;
let isClosed: boolean;
let publisher: { stop(): Promise<void> };
beforeEach(() => {
  vi.useFakeTimers();
  last = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => last.signal);
  [posted, said, isClosed] = [[], [], false];
  post = async () => {};
  settle = async () => {};
  calls = new Counter({ name: 'calls', unit: '{call}', description: 'Calls.' });
  publisher = publishMetrics({
    collector: {
      async post(body, signal) {
        posted.push(valueIn(body));
        await post(signal);
        return { text: '{}', reply: '' };
      },
      async close() {
        isClosed = true;
      },
    },
    instruments: [calls],
    report: (line) => said.push(line),
    settle: () => settle(),
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

/** The sum of the only counter; 0 without a data point. */
function valueIn(body: string): number {
  const { resourceMetrics } = JSON.parse(body) as {
    resourceMetrics: { scopeMetrics: { metrics: { sum: { dataPoints: { asDouble: number }[] } }[] }[] }[];
  };
  return resourceMetrics[0]?.scopeMetrics[0]?.metrics[0]?.sum.dataPoints[0]?.asDouble ?? 0;
}

const period = (): Promise<unknown> => vi.advanceTimersByTimeAsync(15_000);

/** Waits until its request is given up, as a collector that hangs lets it. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give);
  });

describe('metrics on their way to a collector', () => {
  it('leave every 15 seconds, each time with all that was counted', async () => {
    for (const count of [1, 2, 3]) {
      calls.add(count, {});
      await period();
    }
    expect(posted).toEqual([1, 3, 6]);
  });

  it('are sent by one request at a time, also to a collector that hangs', async () => {
    const held = Promise.withResolvers<void>();
    post = () => held.promise;
    for (let times = 0; times < 10; times += 1) await period();
    expect(posted).toHaveLength(1);
    held.resolve();
    await period();
    expect(posted).toHaveLength(2);
  });

  it('contain what is settled first', async () => {
    settle = async () => calls.add(10, {});
    await period();
    expect(posted).toEqual([10]);
  });
});

describe('the end of the gateway', () => {
  it('sends the last counts, and then closes the collector', async () => {
    calls.add(4, {});
    await publisher.stop();
    await period();
    expect([posted, isClosed, vi.getTimerCount()]).toEqual([[4], true, 0]);
  });

  it('breaks a running request off, without a report, and sends the last counts', async () => {
    post = hang;
    await period();
    calls.add(1, {});
    const stopped = publisher.stop();
    post = async () => {};
    await stopped;
    expect([posted, said, isClosed]).toEqual([[0, 1], [], true]);
  });

  it('is not delayed beyond its time by a collector that hangs', async () => {
    post = hang;
    const stopped = publisher.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect(isClosed).toBe(false);
    last.abort(new Error('too late'));
    await stopped;
    expect([posted.length, said, isClosed]).toEqual([1, [], true]);
  });
});

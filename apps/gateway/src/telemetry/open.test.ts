import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Collector } from '../export/collector.ts';
import { type SpanExporter, startSpanExporter } from './open.ts';
import type { Span } from './tracer.ts';

let exporter: SpanExporter;
let posted: string[][];
let post: (signal: AbortSignal) => Promise<unknown>;
let said: string[];
let last: AbortController;
let isClosed: boolean;
beforeEach(() => {
  vi.useFakeTimers();
  last = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => last.signal);
  [posted, said, isClosed] = [[], [], false];
  post = async () => {};
  const collector: Collector = {
    async post(body, signal) {
      posted.push(namesIn(body));
      await post(signal);
      return { text: '{}', reply: '' };
    },
    async close() {
      isClosed = true;
    },
  };
  exporter = startSpanExporter({ collector, report: (line) => said.push(line) });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

function namesIn(body: string): string[] {
  const { resourceSpans } = JSON.parse(body) as {
    resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[];
  };
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(({ name }) => name)));
}

const span = (name: string): Span => ({
  traceId: '1'.repeat(32),
  spanId: '2'.repeat(16),
  parentId: '3'.repeat(16),
  name,
  kind: 'server',
  startedAt: 1,
  endedAt: 2,
  attributes: {},
  failed: false,
});
const add = (count: number, prefix = ''): void => {
  for (let nth = 0; nth < count; nth += 1) exporter.add(span(`${prefix}${nth}`));
};
const period = (): Promise<unknown> => vi.advanceTimersByTimeAsync(2000);

/** Waits until its request is given up, as a collector that hangs lets it. */
const hang = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    const give = (): void => reject(signal.reason as Error);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give);
  });

describe('spans on their way to a collector', () => {
  it('leave together a moment later, in order, and nothing is sent while there are none', async () => {
    await period();
    expect([posted, vi.getTimerCount()]).toEqual([[], 0]);
    add(3);
    await vi.advanceTimersByTimeAsync(1999);
    expect(posted).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(posted).toEqual([['0', '1', '2']]);
    await period();
    expect(posted).toHaveLength(1);
  });

  it('leave in requests of at most 512', async () => {
    add(1100);
    await period();
    expect(posted.map(({ length }) => length)).toEqual([512, 512, 76]);
    expect(posted.flat()).toEqual(Array.from({ length: 1100 }, (_, nth) => String(nth)));
  });

  it('beyond those that may wait are dropped, the oldest stay', async () => {
    add(5000);
    await period();
    expect(posted.flat()).toHaveLength(4096);
    expect(posted.flat().at(-1)).toBe('4095');
  });

  it('that come while a collector hangs wait, and no second request is sent beside the first', async () => {
    const held = Promise.withResolvers<void>();
    post = () => held.promise;
    add(1, 'a');
    await period();
    add(2, 'b');
    for (let times = 0; times < 10; times += 1) await period();
    expect(posted).toEqual([['a0']]);
    post = async () => {};
    held.resolve();
    await period();
    expect(posted).toEqual([['a0'], ['b0', 'b1']]);
  });

  it('that a collector refuses are lost, which is reported once for each cause, and once when it takes spans again', async () => {
    const causes = ['no room', 'no room', 'not found', null];
    for (const cause of causes) {
      post = async () => {
        if (cause !== null) throw new Error(cause);
      };
      add(1, String(cause));
      await period();
    }
    expect(said).toEqual([
      'Traces: no room. Spans are lost until it takes them.',
      'Traces: not found. Spans are lost until it takes them.',
      'Traces: the collector takes them again.',
    ]);
    expect(posted.map(([name]) => name)).toEqual(['no room0', 'no room0', 'not found0', 'null0']);
  });
});

describe('the end of the gateway', () => {
  it('sends what waits, and then closes the collector', async () => {
    add(600);
    await exporter.stop();
    expect(posted.map(({ length }) => length)).toEqual([512, 88]);
    expect([isClosed, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it('breaks a running request off, and sends its spans once more', async () => {
    post = hang;
    add(2, 'a');
    await period();
    add(1, 'b');
    const stopped = exporter.stop();
    post = async () => {};
    await stopped;
    expect(posted).toEqual([
      ['a0', 'a1'],
      ['a0', 'a1', 'b0'],
    ]);
    expect(said).toEqual([]);
  });

  it('is not delayed beyond its time by a collector that hangs', async () => {
    post = hang;
    add(1000);
    const stopped = exporter.stop();
    await vi.advanceTimersByTimeAsync(0);
    expect([posted.length, isClosed]).toEqual([1, false]);
    last.abort(new Error('too late'));
    await stopped;
    expect([posted.length, isClosed]).toEqual([1, true]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { event, type HeldEngine, startHeldEngine } from './engine.ts';
import { measureStreams } from './streams.ts';

let engine: HeldEngine;
beforeAll(async () => {
  engine = await startHeldEngine();
});
afterAll(() => engine.close());

const ask = (body: object): Promise<Response> => fetch(engine.url, { method: 'POST', body: JSON.stringify(body) });

describe('an engine that holds its streams', () => {
  it('answers at once what is not streamed', async () => {
    expect(await (await ask({ stream: false })).json()).toMatchObject({ usage: { completion_tokens: 80 } });
    expect(engine.streams).toHaveLength(0);
  });

  it('opens a stream at once, and sends in it what it is asked', async () => {
    const answer = await ask({ stream: true });
    expect(engine.streams).toHaveLength(1);
    const [stream] = engine.streams;
    stream?.write(event(7));
    stream?.end(event(8));
    expect(await answer.text()).toBe(event(7) + event(8));
  });
});

describe('the measurement of streams', () => {
  it('waits until every reader has every event, also beside one that reads nothing', async () => {
    const own = await startHeldEngine();
    const keys: number[] = [];
    const measured = await measureStreams(own, {
      port: Number(own.url.port),
      pid: process.pid,
      path: '/v1/chat/completions',
      keyOf: (stream) => {
        keys.push(stream);
        return `key ${stream}`;
      },
      count: 20,
      events: 3,
    });
    own.close();
    expect(keys).toEqual(Array.from({ length: 21 }, (_, at) => at));
    expect(own.streams).toHaveLength(21);
    expect(measured.eventToAllMs).toBeGreaterThan(0);
    expect(measured.besideSlowReaderMs).toBeGreaterThan(0);
    expect(Number.isFinite(measured.kilobytesPerStream)).toBe(true);
  });
});

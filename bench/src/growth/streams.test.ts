import { describe, expect, it } from 'vitest';
import { startHeldEngine } from './engine.ts';
import { measureStreams } from './streams.ts';

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

  it('ends with the fault of a stream that could not be opened', async () => {
    const own = await startHeldEngine();
    const port = Number(own.url.port);
    own.close();
    const options = { port, pid: process.pid, path: '/', keyOf: () => 'key', count: 2, events: 1 };
    await expect(measureStreams(own, options)).rejects.toThrow('ECONNREFUSED');
  });
});

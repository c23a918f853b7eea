import { describe, expect, it } from 'vitest';
import { fakeLoad, peerAt } from '../testing/fakes.ts';
import { readOptions } from './options.ts';
import { measureTwoProcesses } from './two-processes.ts';

const [first, second] = [peerAt(1), peerAt(2)];
const options = { ...readOptions([]), rounds: 3, milliseconds: 40 };

describe('two processes ÷ one', () => {
  it('compare the same number of callers from the same two load programs', async () => {
    const loads = [fakeLoad(), fakeLoad()] as const;
    await measureTwoProcesses(loads, [first, second], 64, options);
    const ports = loads.map(({ jobs }) => jobs.map(({ target }) => target.port).join(''));
    expect(ports).toEqual(['1111111', '2121212']);
    for (const job of loads.flatMap(({ jobs }) => jobs))
      expect(job).toMatchObject({ arrival: 'closed', callers: 32, answer: 'plain', milliseconds: 40 });
  });

  it('are the median of the ratios within a round, after a round that is not counted', async () => {
    // One process serves 100 to each load. Two serve 900 at first, then 150, 200 and 120 to each.
    const two = [900, 150, 200, 120];
    const serve = () => {
      let pair = 0;
      return fakeLoad(({ target }) => ({ callsPerSecond: target.port === 2 ? (two[pair++] ?? 0) : 100 }));
    };
    const whole = fakeLoad((_, number) => ({ callsPerSecond: number % 2 === 1 ? (two[(number - 1) / 2] ?? 0) : 100 }));
    expect(await measureTwoProcesses([whole, serve()], [first, second], 256, options)).toBe(1.5);
  });

  it('fail where a load program fails', async () => {
    const broken = { run: () => Promise.reject(new Error('the load program ended with 1')), stop: () => undefined };
    await expect(measureTwoProcesses([fakeLoad(), broken], [first, second], 2, options)).rejects.toThrow(
      'ended with 1',
    );
  });
});

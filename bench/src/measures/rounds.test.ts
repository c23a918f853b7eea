import { describe, expect, it } from 'vitest';
import type { Job } from '../load/job.ts';
import { fakeLoad, peerAt } from '../testing/fakes.ts';
import { interleave, warmUp } from './rounds.ts';

const peers = [peerAt(1, 'a'), peerAt(2, 'b'), peerAt(3, 'c')];
const job = (target: Job['target']): Job => ({
  target,
  answer: 'plain',
  milliseconds: 500,
  arrival: 'closed',
  callers: 4,
});
const names = (jobs: readonly Job[]): string => jobs.map(({ target }) => ' abc'[target.port]).join('');

describe('interleaved rounds', () => {
  it('begin with another peer each, after a short round that is not counted', async () => {
    const load = fakeLoad();
    const rounds = await interleave(load, peers, 4, job);
    expect(names(load.jobs)).toBe('abc abc bca cab abc'.replaceAll(' ', ''));
    expect(load.jobs.map(({ milliseconds }) => milliseconds)).toEqual([...Array(3).fill(100), ...Array(12).fill(500)]);
    expect([...rounds].map(([name, outcomes]) => [name, outcomes.length])).toEqual([
      ['a', 4],
      ['b', 4],
      ['c', 4],
    ]);
  });

  it('keep the outcomes of a peer in the order of the rounds, whichever turn it had', async () => {
    const load = fakeLoad((_, number) => ({ callsPerSecond: number }));
    const rounds = await interleave(load, peers, 3, job);
    expect(rounds.get('a')?.map(({ callsPerSecond }) => callsPerSecond)).toEqual([4, 9, 11]);
    expect(rounds.get('c')?.map(({ callsPerSecond }) => callsPerSecond)).toEqual([6, 8, 10]);
  });

  it('measure in between after every round, not after every turn', async () => {
    const load = fakeLoad();
    const seen: number[] = [];
    await interleave(load, peers, 2, job, async () => {
      seen.push(load.jobs.length);
    });
    expect(seen).toEqual([6, 9]);
  });

  it('end with the name of the peer of which a call failed: its figure would be too good', async () => {
    const load = fakeLoad(({ target, milliseconds }) => ({
      failures: target.port === 2 && milliseconds > 100 ? 7 : 0,
    }));
    await expect(interleave(load, peers, 3, job)).rejects.toThrow('b: 7 calls failed');
    expect(names(load.jobs)).toBe('abcab');
  });

  it('give no processor time to a peer without a process', async () => {
    const rounds = await interleave(fakeLoad(), peers, 1, job);
    expect(rounds.get('a')?.[0]?.processor).toEqual({ own: Number.NaN, database: Number.NaN });
  });

  it('divide the processor time by all calls that ended, of the process that is measured', async () => {
    const own = { ...peerAt(1, 'own'), pid: process.pid };
    const busy = fakeLoad(() => {
      const until = process.cpuUsage().user + 5000;
      while (process.cpuUsage().user < until) Math.sqrt(2);
      return { calls: 1000 };
    });
    const rounds = await interleave(busy, [own], 1, job);
    const { processor } = rounds.get('own')?.[0] ?? {};
    expect(processor?.own).toBeGreaterThan(0);
    expect(processor?.own).toBeLessThan(1e6);
    expect(processor?.database).toBe(0);
  });
});

describe('a warm-up', () => {
  it('calls with every kind of answer that is measured, by many callers and by one alone', async () => {
    const load = fakeLoad();
    await warmUp(load, peerAt(1), ['plain', 'burst'], 1000);
    expect(load.jobs).toMatchObject([
      { answer: 'plain', milliseconds: 800, arrival: 'closed', callers: 64 },
      { answer: 'plain', milliseconds: 200, arrival: 'closed', callers: 1 },
      { answer: 'burst', milliseconds: 800, arrival: 'closed', callers: 64 },
      { answer: 'burst', milliseconds: 200, arrival: 'closed', callers: 1 },
    ]);
  });

  it('accepts calls that fail: what is not ready is not measured yet', async () => {
    await expect(
      warmUp(
        fakeLoad(() => ({ failures: 3 })),
        peerAt(1),
      ),
    ).resolves.toBeUndefined();
  });
});

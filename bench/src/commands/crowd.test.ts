import { describe, expect, it, vi } from 'vitest';
import type { MeasuredCommand } from './command.ts';
import { crowdRow, MEBIBYTE, measureCrowd } from './crowd.ts';

const whole: MeasuredCommand = { firstByteMs: 1, bytes: MEBIBYTE, code: 0 };
const PLAN = { count: 4, bytes: MEBIBYTE, hold: 0 };

describe('commands at once', () => {
  it('all start before any ends', async () => {
    const started: number[] = [];
    const all = Promise.withResolvers<MeasuredCommand>();
    const run = (index: number): Promise<MeasuredCommand> => {
      started.push(index);
      if (started.length === PLAN.count) all.resolve(whole);
      return all.promise;
    };
    const { intact } = await measureCrowd(PLAN, run, () => 100);
    expect([started, intact]).toEqual([[0, 1, 2, 3], 4]);
  });

  it.each([
    ['a byte is missing', { ...whole, bytes: MEBIBYTE - 1 }],
    ['there is a byte too many', { ...whole, bytes: MEBIBYTE + 1 }],
    ['it ended with another code', { ...whole, code: 1 }],
    ['it was ended', { ...whole, code: null }],
  ])('are not intact where %s', async (_, broken) => {
    const run = (index: number) => Promise.resolve(index === 2 ? broken : whole);
    const crowd = await measureCrowd(PLAN, run, () => 100);
    expect(crowdRow(crowd)[1]).toBe('3/4');
  });

  it('have the memory before, the most that was seen, and the memory after', async () => {
    const memory = [100, 300, 120];
    const { memory: seen } = await measureCrowd(
      PLAN,
      () => Promise.resolve(whole),
      () => memory.shift() ?? Number.NaN,
    );
    expect(seen).toEqual({ before: 100, most: 300, after: 120 });
  });

  it('watch the memory while they run', async () => {
    const end = Promise.withResolvers<MeasuredCommand>();
    let looks = 0;
    const memory = (): number => {
      looks += 1;
      if (looks === 4) end.resolve(whole);
      return looks;
    };
    const crowd = await measureCrowd({ ...PLAN, count: 1 }, () => end.promise, memory);
    expect(crowd.memory.most).toBeGreaterThanOrEqual(4);
  });

  it('end with the fault of one, and no longer watch', async () => {
    vi.useFakeTimers();
    try {
      const running = measureCrowd(
        PLAN,
        () => Promise.reject(new Error('answered 429')),
        () => 100,
      );
      expect(vi.getTimerCount()).toBe(1);
      await expect(running).rejects.toThrow('answered 429');
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('are a line of the table, with how long nobody read', () => {
    const memory = { before: 100.4, most: 250.6, after: Number.NaN };
    const crowd = { count: 200, bytes: 10 * MEBIBYTE, hold: 10_000, intact: 199, seconds: 12.4, memory };
    expect(crowdRow(crowd)).toEqual(['200 × 10 MiB, unread for 10 s', '199/200', '12', '100', '251', '–']);
    expect(crowdRow({ ...crowd, hold: 0 })[0]).toBe('200 × 10 MiB');
  });
});

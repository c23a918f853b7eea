import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { reportExpiries } from './background.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const LICENSE = { kind: 'license', at: new Date('2097-01-01') } as const;

it('the ends are reported immediately, every ten minutes and on request, until it is closed', async () => {
  const kept: unknown[] = [];
  const reports = reportExpiries(
    () => [LICENSE],
    async (expiries) => void kept.push(expiries),
  );
  expect(kept).toEqual([[LICENSE]]);
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(kept).toHaveLength(3);
  reports.now();
  expect(kept).toHaveLength(4);
  reports.close();
  await vi.advanceTimersByTimeAsync(1_200_000);
  expect(kept).toHaveLength(4);
});

it('a report that fails ends nothing, and nothing is reported where nothing ends', async () => {
  const keep = vi.fn(() => Promise.reject(new Error('away')));
  const reports = reportExpiries(() => [LICENSE], keep);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(keep).toHaveBeenCalledTimes(2);
  reports.close();
  const never = vi.fn();
  reportExpiries(() => [], never).close();
  expect(never).not.toHaveBeenCalled();
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { watchLicense } from '../profile/license.ts';

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 4, 10);
const CLAIMS = {
  licensee: 'Acme',
  deployment: 'north',
  seats: null,
  capabilities: [],
  iat: 0,
  exp: (NOW + 31.5 * DAY) / 1000,
  graceDays: 1,
};

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
});
afterEach(() => {
  vi.useRealTimers();
});

it('logs nothing until 30 days before the end, then once a day until it is stopped', () => {
  const lines: string[] = [];
  const stop = watchLicense(CLAIMS, Date.now, (line) => lines.push(line));
  vi.advanceTimersByTime(DAY);
  expect(lines).toEqual([]);
  vi.advanceTimersByTime(DAY);
  expect(lines).toEqual([expect.stringContaining('in 30 days')]);
  vi.advanceTimersByTime(30 * DAY);
  expect(lines.at(-1)).toContain('expired');
  expect(lines).toHaveLength(31);
  stop();
  vi.advanceTimersByTime(5 * DAY);
  expect(lines).toHaveLength(31);
});

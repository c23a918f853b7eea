import { describe, expect, it } from 'vitest';
import { delayBefore } from './retry.ts';

const NOW = new Date('2026-11-21T09:30:00Z');

describe('the delay before another try', () => {
  it('doubles from half a second', () => {
    expect([0, 1, 2, 3].map((retry) => delayBefore(retry, undefined, NOW))).toEqual([500, 1000, 2000, 4000]);
  });
  it.each([
    ['7', 7000],
    ['0', 0],
    ['1.5', 1500],
    [' 3 ', 3000],
    ['Sat, 21 Nov 2026 09:30:12 GMT', 12_000],
  ])('follows retry-after: %s', (header, delay) => {
    expect(delayBefore(2, header, NOW)).toBe(delay);
  });
  it.each(['', ' ', 'soon', '-5', 'Infinity', 'Sat, 21 Nov 2026 09:29:00 GMT'])(
    'ignores retry-after %j, which names no time to come',
    (header) => {
      expect(delayBefore(1, header, NOW)).toBe(1000);
    },
  );
});

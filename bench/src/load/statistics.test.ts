import { array, assert, double, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, quantile } from './statistics.ts';

const numbers = array(double({ noNaN: true, min: -1e6, max: 1e6 }), { minLength: 1 });

describe('a median', () => {
  it('is the middle one, or the middle of the middle two', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([7])).toBe(7);
    expect(median([])).toBeNaN();
  });

  it('leaves as many numbers above as below', () => {
    assert(
      property(numbers, (list) => {
        const middle = median(list);
        const below = list.filter((one) => one < middle).length;
        const above = list.filter((one) => one > middle).length;
        expect(Math.max(below, above)).toBeLessThanOrEqual(list.length / 2);
      }),
    );
  });
});

describe('a quantile', () => {
  it('is the number below which this share lies', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 99 - at);
    expect([quantile(hundred, 0), quantile(hundred, 0.5), quantile(hundred, 0.99), quantile(hundred, 1)]).toEqual([
      0, 50, 99, 99,
    ]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('does not change its input', () => {
    const list = [3, 1, 2];
    quantile(list, 0.5);
    median(list);
    expect(list).toEqual([3, 1, 2]);
  });
});

describe('quantiles of any numbers', () => {
  it('are among the numbers, and never fall as the share grows', () => {
    assert(
      property(
        numbers,
        double({ min: 0, max: 1, noNaN: true }),
        double({ min: 0, max: 1, noNaN: true }),
        (all, a, b) => {
          const [low, high] = [quantile(all, Math.min(a, b)), quantile(all, Math.max(a, b))];
          expect(all).toContain(low);
          expect(high).toBeGreaterThanOrEqual(low);
        },
      ),
    );
  });

  it('do not depend on the order, and leave the numbers as they are', () => {
    assert(
      property(numbers, (all) => {
        const before = [...all];
        expect(quantile(all.toReversed(), 0.99)).toBe(quantile(all, 0.99));
        expect(median(all.toReversed())).toBe(median(all));
        expect(all).toEqual(before);
      }),
    );
  });
});

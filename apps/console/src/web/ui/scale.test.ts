import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { roundUp } from './scale.ts';

it('the end of an axis is at least the value and not much more', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-12, max: 1e15, noNaN: true }), (value) => {
      const top = roundUp(value);
      expect(top).toBeGreaterThanOrEqual(value);
      expect(top).toBeLessThanOrEqual(value * 2.01);
      expect(Number.parseFloat(top.toPrecision(1))).toBeCloseTo(top, 12);
    }),
    { verbose: true },
  );
});

it.each([
  [0, 1],
  [-3, 1],
  [Number.NaN, 1],
  [Number.POSITIVE_INFINITY, 1],
  [1, 1],
  [27, 40],
  [35, 40],
  [41, 50],
  [99, 100],
  [100, 100],
  [101, 200],
  [0.000_003, 0.000_004],
])('the axis of values up to %s ends at %s', (value, top) => {
  expect(roundUp(value)).toBe(top);
});

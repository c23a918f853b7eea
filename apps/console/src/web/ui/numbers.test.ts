import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  amount,
  callCost,
  count,
  countAxis,
  duration,
  durationAxis,
  euros,
  eurosAxis,
  perMillion,
  perToken,
} from './numbers.ts';

describe('a number', () => {
  it.each([
    [0, '0', '0'],
    [999, '999', '999'],
    [1234, '1,234', '1.2K'],
    [5_522_257, '5,522,257', '5.5M'],
    [2_000_000_000, '2,000,000,000', '2B'],
  ])('%s is %s in full and %s on an axis', (value, full, brief) => {
    expect([count(value), ...countAxis([value])]).toEqual([full, brief]);
  });
  it.each([
    [null, '–'],
    [0, '0 ms'],
    [2843, '2,843 ms'],
    [9999, '9,999 ms'],
    [12_340, '12.3 s'],
  ])('a duration of %s is %s', (value, said) => {
    expect(duration(value)).toBe(said);
  });
  it.each([
    [
      [0, 2500, 5000, 7500],
      ['0 ms', '2,500 ms', '5,000 ms', '7,500 ms'],
    ],
    [
      [0, 5000, 10_000, 12_500],
      ['0 s', '5 s', '10 s', '12.5 s'],
    ],
  ])('durations of one axis have one unit: %j', (values, said) => {
    expect(durationAxis(values)).toEqual(said);
  });
});

describe('euros', () => {
  it.each([
    [0, '€0.00', '€0.00', '€0.000000'],
    [2.5, '€2.50', '€2.50', '€2.500000'],
    [0.000003, '€0.000003', '< €0.01', '€0.000003'],
    [0.0099, '€0.0099', '< €0.01', '€0.009900'],
    [0.01, '€0.01', '€0.01', '€0.010000'],
    [1234.567, '€1,234.567', '€1,234.57', '€1,234.567000'],
  ])('%s are a price of %s, an amount of %s and the cost of a call of %s', (value, price, sum, call) => {
    expect([euros(value), amount(value), callCost(value)]).toEqual([price, sum, call]);
  });
  it.each([
    [
      [0, 0.25, 0.5],
      ['€0.00', '€0.25', '€0.50'],
    ],
    [
      [0, 0.005],
      ['€0.00', '€0.005'],
    ],
    [
      [0, 5, 10],
      ['€0', '€5', '€10'],
    ],
    [
      [0, 4_000_000],
      ['€0', '€4M'],
    ],
  ])('of one axis have cents all or none: %j', (values, said) => {
    expect(eurosAxis(values)).toEqual(said);
  });
  it('a price per million is the price per token, there and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000 }), (micros) => {
        const price = micros / 1_000_000;
        expect(perMillion(perToken(price))).toBe(price);
      }),
      { verbose: true },
    );
  });
});

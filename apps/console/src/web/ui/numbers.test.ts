import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count, duration, short } from './numbers.ts';
import { amount, callCost, euros, perMillion, perToken } from './prices.ts';

describe('a number', () => {
  it.each([
    [0, '0', '0'],
    [999, '999', '999'],
    [1234, '1,234', '1.2K'],
    [5_522_257, '5,522,257', '5.5M'],
    [2_000_000_000, '2,000,000,000', '2B'],
  ])('%s is %s in full and %s on an axis', (value, full, brief) => {
    expect([count(value), short(value)]).toEqual([full, brief]);
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

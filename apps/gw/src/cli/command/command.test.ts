import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WrongUsage } from '../../process/fault.ts';
import { isGiven, oneOf, valueOf, valuesOf, wholeNumber } from './command.ts';

const given = (...values: readonly (string | null)[]) => ({
  options: values.map((value) => ({ name: '--count', value })),
  positionals: [],
});

/** What a reading gives, or the sentence with which it refuses. */
function result(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error instanceof WrongUsage ? error.message : error;
  }
}

describe('a whole number', () => {
  it('is taken between its limits and no other, for any text', () => {
    const text = fc.oneof(
      fc.integer({ min: -10, max: 70_000 }).map(String),
      fc.string(),
      fc.constantFrom('1.0', '1e3', '0x10', ' 1', '١', '+5', '007', '9'.repeat(30), 'NaN', 'Infinity'),
    );
    fc.assert(
      fc.property(text, (value) => {
        const isNumber = /^\d{1,15}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535;
        expect(result(() => wholeNumber(given(value), '--count', 5, 1, 65_535))).toBe(
          isNumber ? Number(value) : `--count must be a whole number from 1 to 65535, not ${JSON.stringify(value)}.`,
        );
      }),
    );
  });

  it('is the default where it is not given, and may be its limits', () => {
    expect(wholeNumber(given(), '--count', 5, 1, 9)).toBe(5);
    expect([wholeNumber(given('1'), '--count', 5, 1, 9), wholeNumber(given('9'), '--count', 5, 1, 9)]).toEqual([1, 9]);
  });
});

describe('one of a list', () => {
  it('is taken as it is written, and refused with the list', () => {
    expect(oneOf(given('json'), '--count', ['json', 'text'])).toBe('json');
    expect(oneOf(given(), '--count', ['json', 'text'])).toBeNull();
    for (const value of ['JSON', 'jso', 'json '])
      expect(() => oneOf(given(value), '--count', ['json', 'text'])).toThrow(
        `--count must be json or text, not ${JSON.stringify(value)}.`,
      );
  });
});

it('the values of an option are found in their order, a switch without one', () => {
  expect(valuesOf(given('a', 'b'), '--count')).toEqual(['a', 'b']);
  expect([valueOf(given('a', 'b'), '--count'), valueOf(given(), '--count')]).toEqual(['a', null]);
  expect([isGiven(given(null), '--count'), isGiven(given(), '--count'), valueOf(given(null), '--count')]).toEqual([
    true,
    false,
    null,
  ]);
});

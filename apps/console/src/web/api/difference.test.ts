import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differenceOf } from './change.tsx';

describe('what a form changed', () => {
  it.each([
    ['nothing', { name: 'a', cap: null }, { name: 'a', cap: null }, null],
    ['one member', { name: 'a', cap: null }, { name: 'b', cap: null }, { name: 'b' }],
    ['a member that is taken away', { name: 'a', cap: 3 }, { name: 'a', cap: null }, { cap: null }],
    ['a price that becomes nothing', { price: 0.5 }, { price: 0 }, { price: 0 }],
    ['a list that stays', { paths: ['/a'] }, { paths: ['/a'] }, null],
    ['a list that changes', { paths: ['/a'] }, { paths: ['/a', '/b'] }, { paths: ['/a', '/b'] }],
    ['a member called like one of every object', { toString: 'a' }, { toString: 'b' }, { toString: 'b' }],
  ])('%s', (_, began, now, difference) => {
    expect(differenceOf<object>(began, now)).toEqual(difference);
  });
  it('gives the later body where it is laid over the earlier one, and over one that another changed elsewhere keeps that', () => {
    const body = fc.record({
      name: fc.string(),
      cap: fc.option(fc.double({ noNaN: true })),
      active: fc.boolean(),
    });
    fc.assert(
      fc.property(body, body, fc.string(), (began, now, other) => {
        expect({ ...began, ...differenceOf(began, now) }).toEqual(now);
        const elsewhere = { ...began, name: other, ...differenceOf({ ...now, cap: began.cap }, now) };
        expect(elsewhere.name).toBe(other);
      }),
      { verbose: true },
    );
  });
});

import { describe, expect, it } from 'vitest';
import { isHeld, parseRange, rangeStillHolds } from './pages.ts';

describe('If-None-Match', () => {
  it.each([
    ['"a"', true],
    ['W/"a"', true],
    ['"b", "a"', true],
    ['"b" , W/"a"', true],
    ['*', true],
    ['"b"', false],
    ['"ab"', false],
    ['a', false],
    ['', false],
    [undefined, false],
  ])('%s', (header, held) => {
    expect(isHeld(header, '"a"')).toBe(held);
  });
});

describe('Range of 10 bytes', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['Bytes=2-5', { start: 2, end: 5 }],
    ['bytes = 2 - 5', { start: 2, end: 5 }],
    ['bytes=9-', { start: 9, end: 9 }],
    ['bytes=5-1000', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-1000', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=99999999999999999999-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['lines=1-2', null],
    ['bytes=a-b', null],
    ['', null],
    [undefined, null],
  ])('%s', (header, range) => {
    expect(parseRange(header, 10)).toEqual(range);
  });
  it('no part of an empty file can be had', () => {
    expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
    expect(parseRange('bytes=-1', 0)).toBe('unsatisfiable');
  });
});

describe('If-Range', () => {
  it('is fulfilled without the header, and with it only for the current strong tag', () => {
    expect(rangeStillHolds(undefined, '"a"')).toBe(true);
    expect(rangeStillHolds('"a"', '"a"')).toBe(true);
    expect(rangeStillHolds('W/"a"', '"a"')).toBe(false);
    expect(rangeStillHolds('Wed, 21 Oct 2015 07:28:00 GMT', '"a"')).toBe(false);
  });
});

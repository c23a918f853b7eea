import { beforeEach, describe, expect, it } from 'vitest';
import { SignInThrottle } from './caller.ts';

let now = 0;
let throttle: SignInThrottle;
beforeEach(() => {
  now = 1_000_000;
  throttle = new SignInThrottle(() => now);
});
const fail = (times: number, address = '192.0.2.1') => {
  for (let index = 0; index < times; index += 1) throttle.failed(address);
};

describe('an address that fails to sign in', () => {
  it('waits from the tenth failure on, and no other does', () => {
    fail(9);
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0);
    fail(1);
    expect(throttle.secondsToWait('192.0.2.1')).toBe(30);
    expect(throttle.secondsToWait('192.0.2.2')).toBe(0);
    now += 29_001;
    expect(throttle.secondsToWait('192.0.2.1')).toBe(1);
    now += 999;
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0);
  });
  it('waits twice as long after each further failure, at most a quarter of an hour', () => {
    fail(10);
    const waits = [30, 60, 120, 240, 480, 900, 900].map((expected) => {
      const wait = throttle.secondsToWait('192.0.2.1');
      expect(wait).toBe(expected);
      now += wait * 1000;
      fail(1);
      return wait;
    });
    expect(waits).toHaveLength(7);
  });
  it('is not made to wait longer by guesses that were under way', () => {
    fail(60);
    expect(throttle.secondsToWait('192.0.2.1')).toBe(30);
  });
  it('starts again after a quarter of an hour without a failure', () => {
    fail(9);
    now += 15 * 60_000 + 1;
    fail(9);
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0);
  });
  it('is a whole network of IPv6, for one guesser has all of it', () => {
    fail(5, '2001:db8:0:1::1');
    fail(5, '2001:db8:0:1:ffff::2');
    expect(throttle.secondsToWait('2001:db8::1:0:0:0:9')).toBe(30);
    expect(throttle.secondsToWait('2001:db8:0:2::1')).toBe(0);
  });
  it('is forgotten where very many others fail after it', () => {
    fail(10);
    for (let index = 0; index < 10_000; index += 1) throttle.failed(`198.51.${index >> 8}.${index & 255}`);
    expect(throttle.secondsToWait('192.0.2.1')).toBe(0);
  });
});

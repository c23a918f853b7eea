import { describe, expect, it } from 'vitest';
import { Assigned, UNKNOWN } from './assigned.ts';
import { NONE, STRONG } from './name.ts';

describe('the cache of the last name', () => {
  it('moves with the text when its first bytes are dropped', () => {
    const assigned = new Assigned();
    Object.assign(assigned, { wordFrom: 100, nameFrom: 90, nameTo: 110, from: 113, to: 120, askedAt: 120 });
    assigned.drop(50);
    expect(assigned).toMatchObject({ wordFrom: 50, nameFrom: 40, nameTo: 60, from: 63, to: 70 });
    expect(assigned.askedAt).toBe(UNKNOWN);
  });

  it('never begins before the text', () => {
    const assigned = new Assigned();
    assigned.nameFrom = 10;
    assigned.drop(50);
    expect(assigned.nameFrom).toBe(0);
  });

  it('gives the same result for a name after any number of queries', () => {
    const assigned = new Assigned();
    for (let time = 0; time < 2; time++) {
      expect(assigned.strengthOf('client_secret')).toBe(STRONG);
      expect(assigned.strengthOf('secretName')).toBe(NONE);
      for (let other = 0; other < 200; other++) assigned.strengthOf(`token${other}x`);
    }
  });
});

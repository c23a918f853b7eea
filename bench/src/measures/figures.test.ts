import { describe, expect, it } from 'vitest';
import { added, databaseRatio, ownTime, p50, ratio, typical } from './figures.ts';
import type { Measured, Rounds } from './rounds.ts';

const outcome = (callsPerSecond: number, middle: number): Measured => ({
  callsPerSecond,
  p50: middle,
  p99: middle * 2,
  failures: 0,
  calls: 100,
  eventDelay: null,
  processor: { own: 20 * middle, database: 10 * middle },
});

/** A machine at half speed in its second round: each peer is compared with the other of the same round. */
const rounds: Rounds = new Map([
  ['bare', [outcome(1000, 1), outcome(500, 2), outcome(1000, 1)]],
  ['whole', [outcome(400, 3), outcome(200, 6), outcome(410, 3)]],
]);

describe('figures of interleaved rounds', () => {
  it('compare peers within a round, then take the median', () => {
    expect(ratio(rounds, 'whole', 'bare')).toBeCloseTo(0.4);
    expect(added(rounds, 'whole', 'bare', p50)).toBe(2);
    expect(typical(rounds, 'whole', p50)).toBe(3);
    expect(ratio(rounds, 'whole', 'bare', ownTime)).toBe(3);
    expect(databaseRatio(rounds, 'whole', 'bare')).toBe(1.5);
  });

  it('are no numbers for a peer that was left out', () => {
    expect(ratio(rounds, 'absent', 'bare')).toBeNaN();
    expect(added(rounds, 'absent', 'bare', p50)).toBeNaN();
  });

  it('never pass a missing peer off as an equal one', () => {
    expect(ratio(rounds, 'whole', 'absent')).toBeNaN();
    expect(added(rounds, 'whole', 'absent', p50)).toBeNaN();
  });
});

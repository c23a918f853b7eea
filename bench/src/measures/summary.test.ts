import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../testing/fakes.ts';
import { summaryRows } from './report.ts';
import type { Measured, Rounds } from './rounds.ts';
import { type Measurements, NAMES, summarize } from './summary.ts';

const measured = (more: Partial<Measured>): Measured => ({
  ...outcomeOf(),
  processor: { own: 100, database: 50 },
  ...more,
});
/** Two rounds, in the second of which the machine was half as fast. */
const twice = (callsPerSecond: number, own: number, database = 0, p50 = 1): readonly Measured[] => [
  measured({ callsPerSecond, processor: { own, database }, p50, p99: 4 * p50 }),
  measured({
    callsPerSecond: callsPerSecond / 2,
    processor: { own: own * 2, database: database * 2 },
    p50: 2 * p50,
    p99: 8 * p50,
  }),
];
const roundsOf = (peers: Readonly<Record<string, readonly Measured[]>>): Rounds => new Map(Object.entries(peers));

const PLAIN = roundsOf({
  [NAMES.direct]: twice(2000, 10, 0, 1),
  [NAMES.bare]: twice(1000, 100),
  [NAMES.whole]: twice(400, 300, 150, 5),
  [NAMES.hosted]: twice(250, 400, 200),
  [NAMES.portkey]: twice(200, 900),
});
const BURST = roundsOf({ [NAMES.bare]: twice(100, 1000), [NAMES.whole]: twice(80, 1500) });
const delays = (p50: number, p99: number): readonly Measured[] => [measured({ eventDelay: { p50, p99 } })];
const ALL: Measurements = {
  plain: new Map([
    [1, PLAIN],
    [64, PLAIN],
  ]),
  burst: new Map([[16, BURST]]),
  open: roundsOf({ [NAMES.direct]: twice(500, 1, 0, 1), [NAMES.whole]: twice(500, 1, 0, 2) }),
  paced: roundsOf({ [NAMES.direct]: delays(1, 3), [NAMES.whole]: delays(1.5, 5) }),
  grown: roundsOf({ [NAMES.hosted]: twice(200, 1), [NAMES.grown]: twice(190, 1) }),
  floors: [1, 3, 2],
  twoProcessesToOne: { 64: 1.5 },
  memoryMB: 180,
};

describe('the summary of a run', () => {
  const { ratios, memoryMB } = summarize(ALL);

  it('compares the calls of a second with those of the bare proxy and of Portkey, by number of callers', () => {
    expect(ratios.wholeToBare).toEqual({ 1: 0.4, 64: 0.4 });
    expect(ratios.hostedToBare).toEqual({ 1: 0.25, 64: 0.25 });
    expect(ratios.wholeToPortkey).toEqual({ 1: 2, 64: 2 });
    expect(ratios.streamWholeToBare).toEqual({ 16: 0.8 });
  });

  it('compares the processor time of a call, of the gateway and of PostgreSQL, with that of the bare proxy', () => {
    expect(ratios.gatewayCpuToBare).toEqual({ 1: 3, 64: 3 });
    expect(ratios.databaseCpuToBare).toEqual({ 1: 1.5, 64: 1.5 });
    expect(ratios.streamCpuToBare).toEqual({ 16: 1.5 });
  });

  it('divides what the gateway adds at one caller by the time of one read and one commit', () => {
    // 4 ms are added in the first round, 8 in the second; their median is 6, that of the floors 2.
    expect(ratios.addedToFloor).toBe(3);
  });

  it('has what is added to an event of a stream, and to a call that starts by the clock', () => {
    expect(ratios.streamDelayMs).toEqual({ p50: 0.5, p99: 2 });
    expect(ratios.openArrivalMs).toEqual({ p50: 1.5, p99: 6 });
  });

  it('has filled tables beside empty ones, two processes beside one, and the memory', () => {
    expect(ratios.grownToEmpty).toBeCloseTo(0.95);
    expect(ratios.twoProcessesToOne).toEqual({ 64: 1.5 });
    expect(memoryMB).toBe(180);
  });

  it('shows a dash, not a number, for a peer that could not be had on this machine', () => {
    const others = [...PLAIN].filter(([name]) => name !== NAMES.portkey);
    const left = summarize({ ...ALL, plain: new Map([[1, new Map(others)]]) });
    expect(left.ratios.wholeToPortkey).toEqual({ 1: Number.NaN });
    expect(summaryRows(left, 10)).toContainEqual(['gateway ÷ Portkey, 1 callers', '–']);
    expect(left.ratios.wholeToBare).toEqual({ 1: 0.4 });
  });

  it('has no added time where one caller was not measured', () => {
    expect(summarize({ ...ALL, plain: new Map([[64, PLAIN]]) }).ratios.addedToFloor).toBeNaN();
  });
});

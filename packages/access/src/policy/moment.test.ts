import { describe, expect, it } from 'vitest';
import { compareMoments, dateOf, durationOf, instantOf, timeOf } from './moment.ts';

describe('spans', () => {
  it.each([
    ['4h', 14_400_000],
    ['-1h', -3_600_000],
    ['1d2h3m4s5ms', 93_784_005],
    ['5ms', 5],
    ['5m', 300_000],
    ['0s', 0],
  ])('%s are %i ms', (text, duration) => expect(durationOf(text)).toEqual({ duration }));
  it.each(['', '-', 'h', '1h1d', '1.5h', '1w', '9223372036854775807ms', ' 1h'])('%j is left to the engine', (text) =>
    expect(durationOf(text)).toBeNull(),
  );
});

describe('instants', () => {
  it.each([
    ['2026-05-04', Date.UTC(2026, 4, 4)],
    ['2026-05-04T03:02:01Z', Date.UTC(2026, 4, 4, 3, 2, 1)],
    ['2026-05-04T03:02:01.007Z', Date.UTC(2026, 4, 4, 3, 2, 1, 7)],
  ])('%s', (text, instant) => expect(instantOf(text)).toEqual({ instant }));
  it.each([
    '',
    '2026-5-4',
    '2026-05-04T03:02:01',
    '2026-05-04T03:02:01+0200',
    '2026-13-01',
    '26-05-04',
    'x2026-05-04',
    '12026-05-04',
    '2026-02-29',
    '2026-02-30T00:00:00Z',
    '2026-04-31T00:00:00.000Z',
    '2026-05-04T24:00:00Z',
    '2026-05-04T24:00:00.000Z',
    '2026-05-04T23:59:60Z',
  ])('%j is left to the engine', (text) => expect(instantOf(text)).toBeNull());
  it('have a day and a time of it, before the epoch too', () => {
    for (const instant of [Date.UTC(2026, 4, 4, 3, 2, 1, 7), Date.UTC(1960, 4, 4, 3, 2, 1, 7)]) {
      expect(timeOf({ instant })).toEqual({ duration: 10_921_007 });
      expect(dateOf({ instant })).toEqual({ instant: instant - 10_921_007 });
    }
  });
  it('are never compared with spans', () => {
    expect(compareMoments({ instant: 2 }, { instant: 1 })).toBe(1);
    expect(compareMoments({ duration: 1 }, { duration: 1 })).toBe(0);
    expect(compareMoments({ duration: 1 }, { instant: 1 })).toBeNull();
    expect(compareMoments({ instant: 1 }, { duration: 1 })).toBeNull();
  });
});

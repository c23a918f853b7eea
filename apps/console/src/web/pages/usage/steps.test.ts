import { describe, expect, it } from 'vitest';
import { labelOf, stepsOf } from './period.tsx';

describe('the stretches of a period', () => {
  it('are all of them, also over the end of a month and a year', () => {
    expect(stepsOf('2026-12-30T15:00:00.000Z', new Date('2027-01-02T01:00:00.000Z'), 'day')).toEqual([
      '2026-12-30T00:00:00.000Z',
      '2026-12-31T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
      '2027-01-02T00:00:00.000Z',
    ]);
    expect(stepsOf('2026-10-31T15:00:00.000Z', new Date('2027-01-01T00:00:00.001Z'), 'month')).toEqual([
      '2026-10-01T00:00:00.000Z',
      '2026-11-01T00:00:00.000Z',
      '2026-12-01T00:00:00.000Z',
      '2027-01-01T00:00:00.000Z',
    ]);
    expect(stepsOf('2026-03-29T00:00:00.000Z', new Date('2026-03-30T00:00:00.000Z'), 'hour')).toHaveLength(24);
  });
  it('are none where the period ends before it begins', () => {
    expect(stepsOf('2026-03-29T00:00:00.000Z', new Date('2026-03-01T00:00:00.000Z'), 'day')).toEqual([]);
  });
  it('are called by what parts them', () => {
    const at = '2026-11-21T14:00:00.000Z';
    expect([labelOf(at, 'hour'), labelOf(at, 'day'), labelOf(at, 'month')]).toEqual([
      '21 Nov, 14:00',
      '21 Nov',
      'Nov 2026',
    ]);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, type Piece, piecesOf } from './console-records.ts';

const at = (text: string) => Date.parse(text);
const BEGINNINGS: Readonly<Record<Piece['of'], RegExp>> = {
  record: /./,
  day: /T00:00:00\.000Z$/,
  month: /-01T00:00:00\.000Z$/,
};

const FINENESS = { month: 0, day: 1, record: 2 } as const;

describe('the pieces of a period', () => {
  it('follow one another from its beginning to its end, each beginning and ending where its kind does', () => {
    const bound = fc.oneof(
      fc.integer({ min: at('0001-01-01T00:00:00Z'), max: at('9999-12-31T23:59:59Z') }),
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2026-04-01T00:00:00Z') }),
      fc.integer({ min: 20_000, max: 21_000 }).map((day) => day * DAY),
      fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(bound, bound, fc.constantFrom('record', 'day', 'month' as const), (from, until, coarsest) => {
        const pieces = piecesOf(from, until, coarsest);
        const bounds = [from, ...pieces.map((piece) => piece.until)];
        const ends = pieces.flatMap(({ of, ...piece }) => [piece.from, piece.until].map((end) => ({ of, end })));
        const length = (of: Piece['of']) =>
          pieces.filter((piece) => piece.of === of).reduce((sum, piece) => sum + piece.until - piece.from, 0);
        expect(pieces.map((piece) => piece.from)).toEqual(bounds.slice(0, -1));
        expect(bounds.at(-1)).toBe(from < until ? until : from);
        expect(pieces.filter((piece) => piece.from >= piece.until)).toEqual([]);
        expect(pieces.filter(({ of }) => FINENESS[of] < FINENESS[coarsest])).toEqual([]);
        expect(
          ends.filter(({ of, end }) => Number.isFinite(end) && !BEGINNINGS[of].test(new Date(end).toISOString())),
        ).toEqual([]);
        // Records are read one by one for less than two days, days for less than two months.
        expect(coarsest === 'record' || length('record') < 2 * DAY).toBe(true);
        expect(coarsest !== 'month' || length('day') < 62 * DAY).toBe(true);
      }),
      { verbose: true },
    );
  });

  it('are months, then days, then records', () => {
    expect(piecesOf(at('2026-01-30T06:00:00Z'), at('2026-04-02T06:00:00Z'), 'month').map(({ of }) => of)).toEqual([
      'record',
      'day',
      'month',
      'day',
      'record',
    ]);
    const whole = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
    expect(piecesOf(whole.from, whole.until, 'month')).toEqual([{ of: 'month', ...whole }]);
  });
});

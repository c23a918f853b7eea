/** Part of a period: from this instant (inclusive) until that one (exclusive), in milliseconds since 1970; ±Infinity: open. */
export interface Piece {
  readonly of: 'record' | 'day' | 'month';
  readonly from: number;
  readonly until: number;
}

/** Milliseconds. */
export const DAY = 86_400_000;

/** The last beginning of a day or month, UTC, at or before an instant, and the first one at or after it. */
function beginningsAround(of: 'day' | 'month', at: number): readonly [before: number, after: number] {
  if (!Number.isFinite(at)) return [at, at];
  if (of === 'day') return [Math.floor(at / DAY) * DAY, Math.ceil(at / DAY) * DAY];
  const beginning = new Date(at);
  beginning.setUTCDate(1);
  const before = beginning.setUTCHours(0, 0, 0, 0);
  return [before, before === at ? at : beginning.setUTCMonth(beginning.getUTCMonth() + 1)];
}

const FINER = { month: 'day', day: 'record' } as const;

/**
 * Cuts a period into whole months, whole days and the remainders at its ends, all UTC: whole parts are read from stored sums, the
 * rest record by record. The pieces follow one another without a gap.
 * @param coarsest limits the unit: a series by day cannot be made of sums of months
 */
export function piecesOf(from: number, until: number, coarsest: Piece['of']): Piece[] {
  if (from >= until) return [];
  if (coarsest === 'record') return [{ of: 'record', from, until }];
  const finer = FINER[coarsest];
  const [, first] = beginningsAround(coarsest, from);
  const [last] = beginningsAround(coarsest, until);
  if (first >= last) return piecesOf(from, until, finer);
  return [...piecesOf(from, first, finer), { of: coarsest, from: first, until: last }, ...piecesOf(last, until, finer)];
}

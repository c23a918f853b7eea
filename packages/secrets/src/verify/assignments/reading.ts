import type { View } from '../view.ts';

export const REFUSED = -1;
/** The text ends before the decision; `view.hold` is the position from which it must wait. */
export const WAITS = -2;

/** Most blanks that line values up behind their names. */
const GAP = 24;

export function wait(view: View, hold: number): typeof WAITS {
  view.more(hold);
  return WAITS;
}

export function skipBlanks(view: View, from: number): number {
  let at = from;
  while (at < from + GAP && (view.at(at) === 0x20 || view.at(at) === 0x09)) at++;
  return at;
}

import { charset } from '../../text/charset.ts';
import type { View } from '../view.ts';

const DIGITS = charset('0-9');
const MOST_DIGITS = 6;
/**
 * Characters before a number, and between it and its line: blanks, a bar, a colon, an arrow or a drawn line, whose bytes are
 * outside ASCII.
 */
const BEFORE_NUMBER = charset('L[');
const AFTER_NUMBER = charset('\t :|.)]\x80-\xff');
const LONGEST_MARK = 12;
/** Bytes of a path, which a search puts before the number. */
const PATH = charset('A-Za-z0-9_.~/+@-');
const LONGEST_PATH = 72;
const COLON = 0x3a;
const HYPHEN = 0x2d;

/** The text ends before the answer. */
export const UNDECIDED = -1;

/**
 * The byte after the number of a line that begins at `from`, as listings (`    12→`, `12 | `, `L12: `) and searches
 * (`path:12:`, `path-12-`, `12-`) put it before what they show; `from` where there is none.
 */
export function afterLineNumber(view: View, from: number): number {
  const number = view.runEnd(BEFORE_NUMBER, from, 1);
  const to = view.runEnd(DIGITS, number, MOST_DIGITS);
  if (view.waits(to)) return UNDECIDED;
  if (to > number && AFTER_NUMBER[view.at(to)] === 1) {
    const after = view.runEnd(AFTER_NUMBER, to, LONGEST_MARK);
    return view.waits(after) ? UNDECIDED : after;
  }
  const path = afterPath(view, from);
  return path === from && to > number && view.at(to) === HYPHEN ? to + 1 : path;
}

function afterPath(view: View, from: number): number {
  for (let at = from; at < from + LONGEST_PATH; at++) {
    if (view.waits(at)) return UNDECIDED;
    const mark = view.at(at);
    if (at > from && (mark === COLON || mark === HYPHEN)) {
      const to = view.runEnd(DIGITS, at + 1, MOST_DIGITS);
      if (view.waits(to)) return UNDECIDED;
      if (to > at + 1 && view.at(to) === mark) return to + 1;
    }
    if (PATH[mark] === 0) return from;
  }
  return from;
}

import { ALPHANUMERIC, charset } from '../../text/charset.ts';
import type { View } from '../view.ts';
import { END_LINES } from './end-line.ts';
import { UNDECIDED } from './line-number.ts';

const LINE = charset('A-Za-z0-9+/=');
export const NOT_LINE_END = charset('\x01-\x09\x0b\x0c\x0e-\xff');
const LINE_ENDS = charset('\r\n');
const HYPHEN = 0x2d;
/** Bytes before and after what is shown of a line. */
const LONGEST_MARK = 64;
const LONGEST_REST = 16;
/** Widths of a key's lines: what is wider has no other line. */
const LEAST_WIDTH = 32;
const MOST_WIDTH = 96;
/** Bytes in which the END line follows the last whole line: three marks, a shorter line, and the checksum of PGP. */
const END_WITHIN = 272;
/** Headers of keys (RFC 1421 section 4.6, RFC 9580 section 6.2.2.1). */
const HEADERS = ['Proc-Type:', 'DEK-Info:', 'Version:', 'Comment:', 'Hash:', 'Charset:', 'MessageID:'] as const;

/**
 * Where a key continues whose line ends at `from`, when each of its lines has an unrelated prefix: the time in a log, a
 * container's name, an author. All lines except the last have the same width, and the END line's position shows the prefix.
 * Returns the byte after the next line, or the END line's first; 0 for neither.
 */
export function matchMarkedLine(view: View, from: number): number {
  const width = from - view.runStart(LINE, from, MOST_WIDTH);
  if (width < LEAST_WIDTH || width === MOST_WIDTH) return 0;
  const rest = view.runEnd(NOT_LINE_END, from, LONGEST_REST);
  const line = view.runEnd(LINE_ENDS, rest, 2);
  if (view.waits(line)) return UNDECIDED;
  if (line === rest) return 0;
  for (let at = line; at <= line + LONGEST_MARK && NOT_LINE_END[view.at(at)] === 1; at++) {
    const to = view.runEnd(LINE, at, width + 1);
    if (view.waits(to)) return UNDECIDED;
    if (to - at === width) return to;
    at = view.runEnd(LINE, to, LONGEST_MARK);
  }
  for (let at = line; at < line + END_WITHIN; at++) {
    if (view.waits(at)) return UNDECIDED;
    if (view.at(at) === HYPHEN && END_LINES.some((end) => view.spells(end, at))) return at;
  }
  return 0;
}

/** Bytes before the given position in its line. */
export function markBefore(view: View, at: number): number {
  return at - view.runStart(NOT_LINE_END, at, LONGEST_MARK);
}

/** The colon of a key's header in the line after the one that ends at `from`, behind such a mark; 0 where there is none. */
export function matchMarkedHeader(view: View, from: number): number {
  const line = view.runEnd(LINE_ENDS, from, 2);
  if (view.waits(line)) return UNDECIDED;
  if (line === from) return 0;
  for (let at = line; at <= line + LONGEST_MARK; at++) {
    if (view.waits(at)) return UNDECIDED;
    if (NOT_LINE_END[view.at(at)] === 0) return 0;
    if (ALPHANUMERIC[view.at(at - 1)] === 1) continue;
    for (const header of HEADERS) {
      const spelled = view.spelled(header, at);
      if (spelled === header.length) return at + spelled - 1;
      if (view.waits(at + spelled)) return UNDECIDED;
    }
  }
  return 0;
}

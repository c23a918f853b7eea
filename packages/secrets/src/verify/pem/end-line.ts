import { ALPHANUMERIC, charset } from '../../text/charset.ts';
import type { View } from '../view.ts';

/** The type of a key, in its first and last line. */
export const LABEL = charset('A-Za-z0-9 ');
export const DASHES = '-----';
const HYPHEN = 0x2d;
/** RFC 4716 has four dashes and a blank where the others have five dashes. */
export const END_LINES = ['-----END', '---- END'] as const;

/** End of an END line whose dashes are between `from` and shortly after `to`; 0 for none, UNDECIDED to wait. */
export function endLine(view: View, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    if (view.bytes[at] !== HYPHEN) continue;
    if (view.waits(at + 8)) return UNDECIDED;
    const line = END_LINES.find((each) => view.spells(each, at));
    if (line === undefined) continue;
    const labelTo = view.runEnd(LABEL, at + line.length, 40);
    const dashes = line === END_LINES[0] ? DASHES : DASHES.slice(1);
    if (view.waits(labelTo + dashes.length)) return UNDECIDED;
    return view.spells(dashes, labelTo) ? labelTo + dashes.length : labelTo;
  }
  return 0;
}

/** Common letters of all END lines encoded in base64, once or twice, at any byte offset. */
const ENCODED_ENDS = encodingsOf('-----END ').flatMap((once) => [once, ...encodingsOf(once)]);
/** Letters of the longest END line that was encoded twice. */
const LONGEST_ENCODED = 76;

/** The letters of a text in base64 at any offset, without those that depend on its neighbours. */
function encodingsOf(text: string): string[] {
  return [0, 1, 2].map((before) => {
    const bytes = Buffer.from('\0'.repeat(before) + text);
    return bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
  });
}

/** Whether the base64 that ends at `to` ends in an END line that was encoded. */
export function endsEncoded(view: View, to: number): boolean {
  const text = view.text(Math.max(view.floor, to - LONGEST_ENCODED), to);
  return ENCODED_ENDS.some((end) => text.includes(end));
}

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

const LINE = charset('A-Za-z0-9+/=');
export const NOT_LINE_END = charset('\x01-\x09\x0b\x0c\x0e-\xff');
const LINE_ENDS = charset('\r\n');
/** Bytes before and after what is shown of a line. */
const MARKED_LINE_LONGEST_MARK = 64;
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
  for (let at = line; at <= line + MARKED_LINE_LONGEST_MARK && NOT_LINE_END[view.at(at)] === 1; at++) {
    const to = view.runEnd(LINE, at, width + 1);
    if (view.waits(to)) return UNDECIDED;
    if (to - at === width) return to;
    at = view.runEnd(LINE, to, MARKED_LINE_LONGEST_MARK);
  }
  for (let at = line; at < line + END_WITHIN; at++) {
    if (view.waits(at)) return UNDECIDED;
    if (view.at(at) === HYPHEN && END_LINES.some((end) => view.spells(end, at))) return at;
  }
  return 0;
}

/** Bytes before the given position in its line. */
export function markBefore(view: View, at: number): number {
  return at - view.runStart(NOT_LINE_END, at, MARKED_LINE_LONGEST_MARK);
}

/** The colon of a key's header in the line after the one that ends at `from`, behind such a mark; 0 where there is none. */
export function matchMarkedHeader(view: View, from: number): number {
  const line = view.runEnd(LINE_ENDS, from, 2);
  if (view.waits(line)) return UNDECIDED;
  if (line === from) return 0;
  for (let at = line; at <= line + MARKED_LINE_LONGEST_MARK; at++) {
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

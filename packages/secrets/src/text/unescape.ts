/**
 * Quotes in decoded text. A quote that was escaped in the original is kept apart from a plain one, and one escaped
 * twice apart from both, so that `"password": "a\"b"` does not end at the inner quote: a quote is only closed by one
 * of its own level.
 */
const DOUBLE = 0x22;
const SINGLE = 0x27;
const BACKTICK = 0x60;
const ESCAPED_DOUBLE = [DOUBLE, 1, 1, 2, 2, 2, 2, 3] as const;
const ESCAPED_SINGLE = 4;
const ESCAPED_BACKTICK = 5;

const BACKSLASH = 0x5c;
/** Upper bound of the backslashes in three levels of escaping; a longer run is read in pieces of this length. */
const LONGEST_RUN = 16;
/** Stands for any character outside ASCII that was written as an escape. */
const FOREIGN = 0xff;

/** The escape is incomplete. */
export const UNFINISHED = 0;

/**
 * Reads the escape at `at` (a backslash): its length and its byte, packed as `taken << 8
 * byte`; UNFINISHED when the text ends inside it and more may follow.
 *
 * A run of backslashes of any length counts as one: text encoded as JSON, as JSON inside JSON, or not escaped at all reads the
 * same (relay-37).
 */
export function readEscape(bytes: Uint8Array, at: number, end: number, final: boolean): number {
  let next = at + 1;
  while (next < end && bytes[next] === BACKSLASH && next - at < LONGEST_RUN) next++;
  const run = next - at;
  if (next >= end) return final ? (run << 8) | BACKSLASH : UNFINISHED;
  const mark = bytes[next] as number;
  switch (mark) {
    case 0x6e: // n
      return ((run + 1) << 8) | 0x0a;
    case 0x72: // r
      return ((run + 1) << 8) | 0x0d;
    case 0x74: // t
      return ((run + 1) << 8) | 0x09;
    case 0x62: // b
      return ((run + 1) << 8) | 0x08;
    case 0x66: // f
      return ((run + 1) << 8) | 0x0c;
    case 0x2f: // solidus
      return ((run + 1) << 8) | 0x2f;
    case DOUBLE:
    case SINGLE:
    case BACKTICK:
      return run % 2 === 1 ? ((run + 1) << 8) | escapedQuote(mark, run) : (run << 8) | BACKSLASH;
    case 0x75: // u
      return readCode(bytes, next + 1, end, 4, run, final);
    case 0x78: // x
      return readCode(bytes, next + 1, end, 2, run, final);
    default:
      return (run << 8) | BACKSLASH;
  }
}

/** The byte of a single-character escape, where that is unambiguous; 0 elsewhere. */
export const SINGLE_ESCAPE: Uint8Array = new Uint8Array(256);
for (const mark of 'nrtbf/"\'`') {
  const pair = Buffer.from(`\\${mark}`);
  SINGLE_ESCAPE[pair[1] as number] = readEscape(pair, 0, 2, true) & 0xff;
}

function readCode(bytes: Uint8Array, from: number, end: number, digits: number, run: number, final: boolean): number {
  let code = 0;
  for (let at = from; at < from + digits; at++) {
    if (at >= end && !final) return UNFINISHED;
    const value = at < end ? hexValue(bytes[at] as number) : -1;
    if (value < 0) return (run << 8) | BACKSLASH;
    code = code * 16 + value;
  }
  const byte = code === DOUBLE ? escapedQuote(DOUBLE, run) : code < 0x80 ? code : FOREIGN;
  return ((run + 1 + digits) << 8) | byte;
}

export function hexValue(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** What a quote after `backslashes` (an odd number) reads as. */
export function escapedQuote(quote: number, backslashes: number): number {
  if (quote === DOUBLE) return ESCAPED_DOUBLE[Math.min(backslashes, 7)] ?? 3;
  return quote === SINGLE ? ESCAPED_SINGLE : ESCAPED_BACKTICK;
}

export function isQuote(byte: number): boolean {
  return byte === DOUBLE || byte === SINGLE || byte === BACKTICK || (byte >= 1 && byte <= 5);
}

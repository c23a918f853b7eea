/**
 * Quotes in decoded text. A quote that was escaped in the original is kept apart from a plain one, and one escaped
 * twice apart from both, so that `"password": "a\"b"` does not end at the inner quote: a quote is only closed by one
 * of its own level.
 */
export const DOUBLE = 0x22;
export const SINGLE = 0x27;
export const BACKTICK = 0x60;
const ESCAPED_DOUBLE = [DOUBLE, 1, 1, 2, 2, 2, 2, 3] as const;
const ESCAPED_SINGLE = 4;
const ESCAPED_BACKTICK = 5;

/** What a quote after `backslashes` (an odd number) reads as. */
export function escapedQuote(quote: number, backslashes: number): number {
  if (quote === DOUBLE) return ESCAPED_DOUBLE[Math.min(backslashes, 7)] ?? 3;
  return quote === SINGLE ? ESCAPED_SINGLE : ESCAPED_BACKTICK;
}

export function isQuote(byte: number): boolean {
  return byte === DOUBLE || byte === SINGLE || byte === BACKTICK || (byte >= 1 && byte <= 5);
}

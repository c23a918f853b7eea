/** What a byte is between two tokens. */
export const BLANK = 0;
/** Blank to tolerant parsers alone: vertical tab, form feed. */
export const LOOSE_BLANK = 1;
export const QUOTE = 2;
export const SINGLE_QUOTE = 3;
export const OPENING = 4;
export const CLOSING = 5;
export const COMMA = 6;
export const COLON = 7;
/** Letters, digits and signs: of numbers and words. */
export const WORD = 8;
export const SLASH = 9;
export const HASH = 10;
/** Part of a character outside ASCII, some of which are blanks. */
export const FOREIGN = 11;
const OTHER = 12;

export const GAP_CLASS = new Uint8Array(256).fill(OTHER).fill(FOREIGN, 0x80);
for (const byte of Buffer.from(' \t\r\n')) GAP_CLASS[byte] = BLANK;
for (const byte of Buffer.from('\v\f')) GAP_CLASS[byte] = LOOSE_BLANK;
for (const byte of Buffer.from('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-._$')) {
  GAP_CLASS[byte] = WORD;
}
for (const [character, kind] of [
  ['"', QUOTE],
  ["'", SINGLE_QUOTE],
  ['{', OPENING],
  ['[', OPENING],
  ['}', CLOSING],
  [']', CLOSING],
  [',', COMMA],
  [':', COLON],
  ['/', SLASH],
  ['#', HASH],
] as const) {
  GAP_CLASS[character.charCodeAt(0)] = kind;
}

/** Characters that RFC 8259 allows after a backslash, except `u`. */
export const ESCAPABLE = new Uint8Array(256);
for (const byte of Buffer.from('"\\/bfnrt')) ESCAPABLE[byte] = 1;

export function isHexDigit(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
}

/** Stand for characters outside ASCII in the bytes that `Narrower` makes of UTF-16 and UTF-32. */
export const NARROWED = { other: 0x80, blank: 0xa0, lineEnd: 0xa8 } as const;

/** JSON5's blanks outside ASCII: their UTF-8 bytes as one number. */
export const WIDE_BLANKS: ReadonlySet<number> = new Set([
  0xc2a0, 0xe19a80, 0xe28080, 0xe28081, 0xe28082, 0xe28083, 0xe28084, 0xe28085, 0xe28086, 0xe28087, 0xe28088, 0xe28089,
  0xe2808a, 0xe280a8, 0xe280a9, 0xe280af, 0xe2819f, 0xe38080, 0xefbbbf,
]);
export const BYTE_ORDER_MARK = 0xefbbbf;

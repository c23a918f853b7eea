import { ESCAPABLE, isHexDigit } from './bytes.ts';

/**
 * The state of an escape sequence in a string: 0 outside one, 1 after the backslash, 2 to 5 before a hexadecimal digit. A step
 * yields the next state, with `WRONG` where RFC 8259 does not allow the byte.
 */
export const ESCAPE_BEGUN = 1;
/** The byte does not belong to the escape sequence: it may be the closing quote. */
export const NOT_PART = 16;
export const WRONG = 8;

const FIRST_DIGIT = 2;
const LAST_DIGIT = 5;
const LETTER_U = 0x75;

export function escapeStep(state: number, byte: number): number {
  if (state === ESCAPE_BEGUN) {
    if (byte === LETTER_U) return FIRST_DIGIT;
    return ESCAPABLE[byte] === 1 ? 0 : WRONG;
  }
  if (!isHexDigit(byte)) return NOT_PART | WRONG;
  return state === LAST_DIGIT ? 0 : state + 1;
}

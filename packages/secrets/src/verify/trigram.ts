/**
 * Symbols of the trigram model: letters regardless of case, one symbol for all digits, one for everything else and for the edges
 * of the text. The particular digit is irrelevant to how word-like a text reads.
 */
export const SYMBOLS = 28;
const EDGE = 0;
const DIGIT = 27;

export function symbolOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return DIGIT;
  const letter = (byte | 0x20) - 0x60;
  return letter >= 1 && letter <= 26 && byte < 0x80 ? letter : EDGE;
}

/** Position of a trigram in the table. */
export function trigramIndex(first: number, second: number, third: number): number {
  return (first * SYMBOLS + second) * SYMBOLS + third;
}

/** The table keeps a surprise as a number from 0 to 15, in steps of this many bits. */
export const STEP_BITS = 0.75;

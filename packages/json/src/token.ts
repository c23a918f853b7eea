/* What is being read: numbers, because they are compared for every token. */

export const GAP = 0;
export const STRING = 1;
export const LITERAL = 2;
export const COMMENT = 3;
/** A character outside ASCII between two tokens, which may be a blank. */
export const CHARACTER = 4;
/** The rest after unreadable input, up to the end of its line. */
export const REST_OF_LINE = 5;
export const STOPPED = 6;

/**
 * How much of a result the model gets, in characters (UTF-16 units) unless a name says otherwise. A cut result says what
 * is missing and how to get it. `site/pages/developer/gw-tools.md` lists the same numbers.
 */
export const READ_LINES = 2000;
export const READ_CHARACTERS = 60_000;
/** Of one line, in Read and Search. */
export const LINE_CHARACTERS = 2000;
/** A larger file is not read at all. */
export const FILE_BYTES = 64 * 1024 * 1024;
export const LIST_ENTRIES = 1000;
export const SEARCH_LINES = 250;
export const SEARCH_LINE_CHARACTERS = 400;
export const COMMAND_CHARACTERS = 30_000;
export const FETCH_BYTES = 5 * 1024 * 1024;
export const FETCH_CHARACTERS = 60_000;

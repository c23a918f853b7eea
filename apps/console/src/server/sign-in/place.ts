import { isSurface } from '../routing/pages.ts';

/**
 * Longer than the addresses of the pages, except where a page begins below a name of hundreds of characters: that leads to where one enters.
 * With the rest of its cookie it stays below the 4096 bytes that browsers keep.
 */
const LONGEST = 2000;

/** A surface of this console, and where in it: what a fragment may hold (RFC 3986, section 3.5), no more. */
const PLACE = /^(\/[a-z]*)(#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/;

/** A place in this console where somebody may be led after signing in: a surface, and a fragment of its address. */
export interface Place {
  readonly surface: string;
  /** With its `#`; empty where there is none. */
  readonly fragment: string;
}

/**
 * Reads where a sign-in is to lead. Null for whatever is not a place of this console: the answer's `location` is made of what this
 * lets through, and must never lead to another host.
 */
export function placeOf(text: string | null): Place | null {
  if (text === null || text.length > LONGEST) return null;
  const [, surface = '', fragment = ''] = PLACE.exec(text) ?? [];
  return isSurface(surface) ? { surface, fragment } : null;
}

import { isSurface } from '../routing/pages.ts';

/**
 * Longer than the addresses of all pages except one that begins after a name of hundreds of characters; that returns to the
 * first page. With the rest of its cookie it is below the 4096 bytes that browsers store.
 */
const LONGEST = 2000;

/** A surface of this console, and a fragment (RFC 3986, section 3.5); nothing else. */
const RETURN_LOCATION = /^(\/[a-z]*)(#(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*)?$/;

/** A location in this console to return to after sign-in: a surface, and a fragment of its address. */
export interface ReturnLocation {
  readonly surface: string;
  /** With its `#`; empty where there is none. */
  readonly fragment: string;
}

/**
 * Parses a return location. Null for everything outside this console: the result becomes a `location` header, which must never
 * point to another host.
 */
export function returnLocationOf(text: string | null): ReturnLocation | null {
  if (text === null || text.length > LONGEST) return null;
  const [, surface = '', fragment = ''] = RETURN_LOCATION.exec(text) ?? [];
  return isSurface(surface) ? { surface, fragment } : null;
}

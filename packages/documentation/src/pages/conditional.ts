/** Bytes of a file, both ends included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** Whether the caller already has this content (RFC 9110 §13.1.2: weak comparison, `*` matches anything). */
export function isHeld(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(/"[^"]*"/g)].some(([tag]) => tag === etag);
}

/**
 * The one range asked for (RFC 9110 §14.2). Null means the whole file: no range, one that is malformed or of another
 * unit, or several at once, which a server may ignore.
 */
export function parseRange(range: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const asked = /^bytes=(\d*)-(\d*)$/i.exec(range?.replaceAll(' ', '') ?? '');
  if (!asked || (asked[1] === '' && asked[2] === '')) return null;
  const [first, last] = [Number(asked[1]), Number(asked[2])];
  if (asked[1] === '') {
    return last === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - last), end: size - 1 };
  }
  if (asked[2] !== '' && last < first) return null;
  if (first >= size) return 'unsatisfiable';
  return { start: first, end: asked[2] === '' ? size - 1 : Math.min(last, size - 1) };
}

/** Whether a range may be answered: no `If-Range`, or one with the current strong tag (RFC 9110 §13.1.5). */
export function rangeStillHolds(ifRange: string | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange.trim() === etag;
}

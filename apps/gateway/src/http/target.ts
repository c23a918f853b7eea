import { type Refusal, refusal } from '@gateway/contract';

/** The raw request target, split after its first segment and never decoded (relay-2, relay-3). */
export interface Target {
  /** The first segment as written, or null where there is none (`/`, `//…`). */
  readonly segment: string | null;
  /** Everything after the first segment: empty, or beginning with `/` or `?`. */
  readonly rest: string;
}

/** Only origin-form targets are served: never another authority, never a fragment, never `*`. */
export function readTarget(url: string): Target | Refusal {
  if (!url.startsWith('/')) {
    return refusal('malformed-request', { details: { fault: 'the request target must be a path' } });
  }
  if (url.includes('#')) {
    return refusal('malformed-request', { details: { fault: 'the request target has a fragment' } });
  }
  if (NOT_OF_A_TARGET.test(url)) {
    return refusal('malformed-request', {
      details: { fault: 'the request target contains bytes that are not allowed in one' },
    });
  }
  const end = endOfSegment(url);
  return end === 1 ? { segment: null, rest: '' } : { segment: url.slice(1, end), rest: url.slice(end) };
}

/** RFC 9112 section 3.2. */
const NOT_OF_A_TARGET = /[^\x21-\x7e]/;

function endOfSegment(url: string): number {
  const slash = url.indexOf('/', 1);
  const query = url.indexOf('?', 1);
  if (slash === -1) return query === -1 ? url.length : query;
  return query === -1 ? slash : Math.min(slash, query);
}

import { envelopeOf, type Refusal, statusOf } from '@gateway/contract';

/** A part of a file on the disk, sent only while the file still has the mark it had when the archive was read. */
export interface FilePart {
  readonly path: string;
  readonly mark: string;
  /** First and last byte, both included. */
  readonly start: number;
  readonly end: number;
}

/** What the documentation answers to one request, before it becomes bytes on a socket. */
export interface PageAnswer {
  readonly status: number;
  /** Lower-case names. `content-length` is always there when `body` is not null. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: no body is allowed. For HEAD the sender omits the body and keeps the headers. */
  readonly body: Buffer | FilePart | null;
}

/** Sent with every answer: no type sniffing, no framing, no referrer. */
const COMMON = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;

export function answer(status: number, headers: Record<string, string>, body: Buffer | FilePart | null): PageAnswer {
  const length = body === null ? null : 'path' in body ? body.end - body.start + 1 : body.length;
  return {
    status,
    headers: { ...COMMON, ...headers, ...(length === null ? {} : { 'content-length': String(length) }) },
    body,
  };
}

export function jsonAnswer(status: number, value: unknown, headers: Record<string, string> = {}): PageAnswer {
  const body = Buffer.from(JSON.stringify(value), 'utf8');
  return answer(status, { 'content-type': 'application/json', 'cache-control': 'no-cache', ...headers }, body);
}

/** A refusal in the service's envelope (refusals-1). */
export function refuse(refusal: Refusal): PageAnswer {
  return jsonAnswer(statusOf(refusal), envelopeOf(refusal), refusal.headers);
}

/** A documentation address, cut out of the raw request target. */
export interface Address {
  /** Decoded path segments after `/v/`; the last one is empty for an address that ends in a slash. */
  readonly segments: readonly string[];
  /** From `?` on, as written; empty without one. */
  readonly query: string;
}

/** Whether a raw request target belongs to the documentation: the segment `v`, byte for byte. */
export function isDocumentationTarget(target: string): boolean {
  return /^\/v(?:[/?#]|$)/.test(target);
}

/**
 * Reads a raw request target. No URL parser may read the target first: those silently resolve climbing segments, so they could
 * not be refused (documentation-4).
 * @param target from the request line, in origin form, beginning with `/v`
 * @returns null for a target that is malformed or climbs
 */
export function parseTarget(target: string): Address | null {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? '' : target.slice(mark);
  // Browsers do not escape a backslash in a query; in a path, some servers would read it as a slash.
  if (target.includes('#') || path.includes('\\')) return null;
  const segments: string[] = [];
  for (const written of path.slice('/v/'.length).split('/')) {
    const segment = decode(written);
    if (segment === null || !isPlain(segment)) return null;
    segments.push(segment);
  }
  return { segments, query };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Resolves the percent escapes of one segment, once; null when an escape or the UTF-8 under it is invalid. */
function decode(segment: string): string | null {
  if (/%(?![0-9A-Fa-f]{2})/.test(segment)) return null;
  const bytes = Buffer.from(
    segment.replace(/%([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16))),
    'latin1',
  );
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Whether a decoded segment names something in a folder and nothing else. Refused are separators that were escaped,
 * control characters, climbing segments (with path parameters too: `..;`), and what would climb if decoded again.
 */
function isPlain(segment: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return !/[/\\\u0000-\u001f\u007f]|^\.{1,2}(?:;|$)|%(?:2e|2f|5c|25|00)/i.test(segment);
}

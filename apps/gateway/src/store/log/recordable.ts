import { maskedText } from '@gateway/secrets';

/** Shorter texts hold no secret; identifiers of requests and sessions are mostly UUIDs, which are none either. */
const SHORTEST = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A text of a request as a record may hold it: what looks like a secret masked (relay-36), then cut.
 * @param longest UTF-16 code units, which bound the bytes of an index entry; a character of two is not cut through.
 */
export function recordable(text: string, longest: number): string {
  const kept = text.length < SHORTEST || UUID.test(text) ? text : maskedText(text);
  return kept.length <= longest ? kept : kept.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

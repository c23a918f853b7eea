import { maskText } from '@gateway/secrets';

/** Shorter texts contain no secret; identifiers of requests and sessions are mostly UUIDs, which are no secrets either. */
const SHORTEST = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A request's text in the form for a record: possible secrets masked (relay-36), then cut.
 * @param longest UTF-16 code units, which bound the bytes of an index entry; a surrogate pair is not split.
 */
export function recordable(text: string, longest: number): string {
  const kept = text.length < SHORTEST || UUID.test(text) ? text : maskText(text);
  return kept.length <= longest ? kept : kept.slice(0, longest).replace(/[\ud800-\udbff]$/, '');
}

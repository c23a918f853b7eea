import { maskedText } from '@gateway/secrets';

/** Shorter texts hold no secret; identifiers of requests and sessions are mostly UUIDs, which are none either. */
const SHORTEST = 8;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * A text of a request as a record may hold it: what looks like a secret masked (specification, function 8), then cut.
 * @param longest characters.
 */
export function recordable(text: string, longest: number): string {
  return (text.length < SHORTEST || UUID.test(text) ? text : maskedText(text)).slice(0, longest);
}

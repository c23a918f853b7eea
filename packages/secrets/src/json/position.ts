import { readEscape } from '../text/unescape.ts';

const BACKSLASH = 0x5c;

/**
 * Positions in a body of positions in its decoded text, which must be in ascending order. Reads the body once more, as
 * the scan did; only done when something was found.
 */
export function positionsInBody(body: Uint8Array, decoded: readonly number[]): number[] {
  const positions: number[] = [];
  let [at, to, index] = [0, 0, 0];
  while (index < decoded.length) {
    while (index < decoded.length && (decoded[index] as number) <= to) {
      positions.push(at);
      index++;
    }
    if (at >= body.length) break;
    at += body[at] === BACKSLASH ? readEscape(body, at, body.length, true) >> 8 : 1;
    to++;
  }
  while (positions.length < decoded.length) positions.push(body.length);
  return positions;
}

import { readEscape } from '../text/unescape.ts';

const BACKSLASH = 0x5c;
/** Bytes read between two pauses. */
const SLICE = 64 * 1024;

/**
 * Turns positions in the decoded text of a body, which must be in ascending order, into positions in the body. Reads the
 * body once more, as the scan did; only done when something was found. Pauses between slices.
 */
export function* positionsInBody(body: Uint8Array, positions: Float64Array): Generator<undefined, void> {
  let [at, to, index] = [0, 0, 0];
  let pauseAt = SLICE;
  while (index < positions.length) {
    while (index < positions.length && (positions[index] as number) <= to) positions[index++] = at;
    if (at >= body.length) break;
    at += body[at] === BACKSLASH ? readEscape(body, at, body.length, true) >> 8 : 1;
    to++;
    if (at < pauseAt) continue;
    pauseAt = at + SLICE;
    yield;
  }
  positions.fill(body.length, index);
}

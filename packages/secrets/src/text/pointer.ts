import { type Path, visitStrings } from '@gateway/json';
import { readEscape } from './unescape.ts';

const LONGEST_NAME = 64;
/** Enough bytes for all shown characters, in any encoding. */
const NAME_BYTES = 4 * (LONGEST_NAME + 2);

/** A range of bytes of a body, and its replacement in names. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

/**
 * JSON pointers (RFC 6901) of the values, or member names, in which ranges of a JSON text begin. Ranges are in ascending order. A
 * member name covered by a range is replaced by that range's mask, so that a pointer never shows a secret; long names are cut.
 * Pauses now and then.
 */
export function* pointersOf(body: Uint8Array, ranges: readonly Range[]): Generator<undefined, string[]> {
  const pointers: string[] = [];
  let next = 0;
  const nameOf = (from: number, to: number): string => {
    for (let index = next; index < ranges.length && (ranges[index] as Range).start < to; index++) {
      if ((ranges[index] as Range).end > from) return (ranges[index] as Range).mask;
    }
    const text = Buffer.from(body.subarray(from, Math.min(to, from + NAME_BYTES))).toString('utf8');
    return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
  };
  yield* visitStrings(body, nameOf, ({ path, to }) => {
    while (next < ranges.length && (ranges[next] as Range).start < to) {
      pointers.push(renderPointer(path));
      next++;
    }
    return next < ranges.length;
  });
  while (pointers.length < ranges.length) pointers.push('');
  return pointers;
}

/** Longest pointer, in characters: a body may nest its values without end, and each of its findings bears one. */
const LONGEST_POINTER = 256;

/** RFC 6901; if it would be too long, the pointer of the container. */
function renderPointer(path: Path): string {
  let pointer = '';
  for (const step of path) {
    const longer = `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (longer.length > LONGEST_POINTER) break;
    pointer = longer;
  }
  return pointer;
}

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

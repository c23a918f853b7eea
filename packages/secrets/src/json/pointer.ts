const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LONGEST_NAME = 64;

/** A range of bytes of a body, and what stands for it when it has to be named. */
export interface Range {
  readonly start: number;
  readonly end: number;
  readonly mask: string;
}

interface Level {
  readonly array: boolean;
  index: number;
  name: string;
}

/**
 * JSON pointers (RFC 6901) of the values, or member names, in which ranges of a JSON text begin. Ranges are in
 * ascending order. A member name that is itself covered by a range is named by that range's mask, so that a pointer
 * never shows a secret; long names are cut. A body that is not JSON after all gives what could be read.
 */
export function pointersOf(body: Uint8Array, ranges: readonly Range[]): string[] {
  const pointers: string[] = [];
  const levels: Level[] = [];
  let [at, next, naming] = [0, 0, false];
  while (at < body.length && next < ranges.length) {
    const byte = body[at] as number;
    if (byte === QUOTE) {
      const end = stringEnd(body, at + 1);
      const level = levels.at(-1);
      if (naming && level !== undefined) level.name = nameOf(body, at + 1, end, ranges, next);
      while (next < ranges.length && (ranges[next] as Range).start < end) {
        pointers.push(render(levels));
        next++;
      }
      naming = false;
      at = end + 1;
      continue;
    }
    const level = levels.at(-1);
    if (byte === 0x7b || byte === 0x5b) levels.push({ array: byte === 0x5b, index: 0, name: '' });
    else if (byte === 0x7d || byte === 0x5d) levels.pop();
    else if (byte === 0x2c && level?.array === true) level.index++;
    if (byte === 0x7b || (byte === 0x2c && level?.array === false)) naming = true;
    at++;
  }
  while (pointers.length < ranges.length) pointers.push(render(levels));
  return pointers;
}

function stringEnd(body: Uint8Array, from: number): number {
  let at = from;
  while (at < body.length && body[at] !== QUOTE) at += body[at] === BACKSLASH ? 2 : 1;
  return Math.min(at, body.length);
}

function nameOf(body: Uint8Array, from: number, to: number, ranges: readonly Range[], next: number): string {
  const covering = ranges.slice(next).find((range) => range.start < to && range.end > from);
  if (covering !== undefined) return covering.mask;
  const text = Buffer.from(body.subarray(from, to)).toString('utf8');
  return text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text;
}

function render(levels: readonly Level[]): string {
  return levels
    .map((level) => `/${level.array ? level.index : level.name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}

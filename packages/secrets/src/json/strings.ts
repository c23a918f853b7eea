const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Names and indices from the root to a value. */
export type Path = readonly (string | number)[];

export interface StringVisit {
  /** Path of the value, or of the member whose name this is. Changes between visits: copy it to keep it. */
  readonly path: Path;
  /** Bytes between the quotes. */
  readonly from: number;
  readonly to: number;
  readonly isName: boolean;
}

/** Bytes read between two pauses. */
const SLICE = 64 * 1024;

/**
 * Visits every string of a JSON text in order, names of members included. `nameOf` turns the bytes of a name into what
 * the path shows. A text that is not JSON after all gives the strings that could be read. Stops when `visit` says false.
 * Pauses between slices.
 */
export function* visitStrings(
  body: Uint8Array,
  nameOf: (from: number, to: number) => string,
  visit: (string: StringVisit) => boolean,
): Generator<undefined, void> {
  const path: (string | number)[] = [];
  let [at, naming, pauseAt] = [0, false, SLICE];
  while (at < body.length) {
    if (at >= pauseAt) {
      pauseAt = at + SLICE;
      yield;
    }
    const byte = body[at] as number;
    if (byte === QUOTE) {
      let to = at + 1;
      while (to < body.length && body[to] !== QUOTE) {
        to += body[to] === BACKSLASH ? 2 : 1;
        if (to < pauseAt) continue;
        pauseAt = to + SLICE;
        yield;
      }
      to = Math.min(to, body.length);
      if (naming) path[path.length - 1] = nameOf(at + 1, to);
      if (!visit({ path, from: at + 1, to, isName: naming })) return;
      naming = false;
      at = to + 1;
      continue;
    }
    if (byte === 0x7b || byte === 0x5b) {
      path.push(byte === 0x7b ? '' : 0);
      naming = byte === 0x7b;
    } else if (byte === 0x7d || byte === 0x5d) {
      path.pop();
      naming = false;
    } else if (byte === 0x2c) {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
      naming = typeof last === 'string';
    }
    at++;
  }
}

/** Longest pointer, in characters: a body may nest its values without end, and each of its findings bears one. */
const LONGEST_POINTER = 256;

/** RFC 6901; where it would be longer, the pointer of what holds the value. */
export function renderPointer(path: Path): string {
  let pointer = '';
  for (const step of path) {
    const longer = `${pointer}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`;
    if (longer.length > LONGEST_POINTER) break;
    pointer = longer;
  }
  return pointer;
}

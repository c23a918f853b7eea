import { JsonTokenizer } from './tokenizer.ts';

/** Names and indices from the root to a value. */
export type Path = readonly (string | number)[];

export interface StringVisit {
  /** Path of the value, or of the member whose name this is. Changes between visits: copy it to keep it. */
  readonly path: Path;
  /** Offsets of the bytes between the quotes. */
  readonly from: number;
  readonly to: number;
  readonly isName: boolean;
}

/** Bytes read between two pauses. */
const SLICE = 64 * 1024;

/**
 * Visits every string of a JSON text in order, names of members included, as far as the text can be read. `nameOf` converts a
 * name's bytes for the path. Stops when `visit` returns false. Pauses between slices.
 */
export function* visitStrings(
  body: Uint8Array,
  nameOf: (from: number, to: number) => string,
  visit: (string: StringVisit) => boolean,
): Generator<undefined, void> {
  const path: (string | number)[] = [];
  const at = (from: number, to: number, isName: boolean): void => {
    if (!visit({ path, from: from + 1, to: to - 1, isName })) tokenizer.stop();
  };
  const tokenizer = new JsonTokenizer({
    open: (isObject) => void path.push(isObject ? '' : 0),
    close: () => void path.pop(),
    comma() {
      const last = path.at(-1);
      if (typeof last === 'number') path[path.length - 1] = last + 1;
    },
    name(from, to) {
      path[path.length - 1] = nameOf(from + 1, to - 1);
      at(from, to, true);
    },
    string: (from, to) => at(from, to, false),
    broken() {
      path.length = 0;
    },
  });
  for (let from = 0; from < body.length && !tokenizer.isStopped; from += SLICE) {
    if (from > 0) yield;
    tokenizer.push(body.subarray(from, from + SLICE));
  }
}

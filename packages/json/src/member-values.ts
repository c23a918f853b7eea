import { BLANK, COLON, GAP_CLASS, LOOSE_BLANK } from './bytes.ts';
import { JsonTokenizer } from './tokenizer.ts';

/** Names from the root to a member; `*` is any element of an array. */
export type MemberPath = readonly string[];

/** What may be left before a value: blanks outside ASCII, as JSON5 has them. */
const LEAD = /^[\s:]+/;
const ELEMENT = '*';
const IS_LEAD = new Uint8Array(16);
for (const kind of [COLON, BLANK, LOOSE_BLANK]) IS_LEAD[kind] = 1;
/** Stands for an element at the position of a reader; a member may have the name `*`. */
const IN_ARRAY = Symbol('element');

/**
 * Reads the values of chosen members from JSON that arrives in parts, in bounded memory and of any length. Each value is
 * reported: of several top-level values, and of a member given twice.
 */
export class MemberValues {
  readonly #tokenizer: JsonTokenizer;
  readonly #paths: readonly MemberPath[];
  readonly #longest: number;
  readonly #found: (path: MemberPath, json: string, list: number) => void;
  readonly #mostDepth: number;
  /** Names and elements from the root to the current value, as deep as any path. */
  readonly #at: (string | typeof IN_ARRAY)[] = [];
  /** Numbers of the arrays around the current value, by their depth. */
  readonly #lists: number[] = [];
  #arrays = 0;
  #wanted: MemberPath | null = null;
  /** Parts of the wanted value from earlier chunks. */
  #parts: Buffer[] = [];
  #length = 0;
  #chunk: Uint8Array = new Uint8Array(0);
  #base = 0;
  /** Offset from which the wanted value is stored. */
  #from = 0;

  /**
   * @param longest bytes of a value; longer ones are not reported.
   * @param found called with the value as written, without the blanks before it. It need not be valid JSON. `list` is the same
   *   for values below one array: the one that the last `*` of the path stands in; 0 for a path without one.
   */
  constructor(
    paths: readonly MemberPath[],
    longest: number,
    found: (path: MemberPath, json: string, list: number) => void,
  ) {
    this.#paths = paths;
    this.#longest = longest;
    this.#found = found;
    this.#mostDepth = Math.max(...paths.map((path) => path.length));
    this.#tokenizer = new JsonTokenizer({
      open: (isObject, _at, depth) => {
        if (depth >= this.#mostDepth || isObject) return;
        this.#at[depth] = IN_ARRAY;
        this.#lists[depth] = ++this.#arrays;
      },
      close: (_isObject, at, depth) => this.#valueEnds(at + 1, depth),
      name: (_from, to, depth) => {
        if (depth <= this.#mostDepth) this.#named(to, depth);
      },
      string: (_from, to, depth) => this.#valueEnds(to, depth),
      literal: (_kind, _from, to, depth) => this.#valueEnds(to, depth),
      broken: () => this.#drop(),
    });
  }

  /** Reads on. Only bytes of a wanted value are stored. */
  push(chunk: Uint8Array): void {
    this.#chunk = chunk;
    this.#tokenizer.push(chunk);
    if (this.#wanted !== null) this.#keep(chunk.length);
    this.#base += chunk.length;
  }

  /** The text has ended: a number that ended with it is reported. */
  end(): void {
    this.#chunk = new Uint8Array(0);
    this.#tokenizer.end();
  }

  #named(to: number, depth: number): void {
    this.#at[depth - 1] = this.#tokenizer.name;
    if (this.#wanted !== null) return;
    const wanted = this.#paths.find(
      (path) =>
        path.length === depth && path.every((name, index) => (name === ELEMENT ? IN_ARRAY : name) === this.#at[index]),
    );
    if (wanted === undefined) return;
    this.#wanted = wanted;
    this.#from = to;
  }

  #valueEnds(to: number, depth: number): void {
    const wanted = this.#wanted;
    if (wanted === null || depth !== wanted.length) return;
    this.#keep(to - this.#base);
    const list = this.#lists[wanted.lastIndexOf(ELEMENT)] ?? 0;
    if (this.#length <= this.#longest)
      this.#found(wanted, Buffer.concat(this.#parts).toString().replace(LEAD, ''), list);
    this.#drop();
  }

  /** Stores the chunk's part of the wanted value, up to an offset in it. */
  #keep(to: number): void {
    let from = Math.max(0, this.#from - this.#base);
    if (this.#length === 0) from = skipLead(this.#chunk, from);
    const part = this.#chunk.subarray(from, Math.max(0, to));
    this.#length += part.length;
    if (this.#length <= this.#longest) this.#parts.push(Buffer.from(part));
    else this.#parts = [];
  }

  #drop(): void {
    this.#wanted = null;
    this.#parts = [];
    this.#length = 0;
  }
}

/** The first byte from `from` on that is neither the colon before a value nor a blank of ASCII. */
function skipLead(chunk: Uint8Array, from: number): number {
  let at = from;
  while (at < chunk.length && IS_LEAD[GAP_CLASS[chunk[at] as number] as number] === 1) at++;
  return at;
}

/** The names of one object, or null for an array, and the member that is being read. */
interface Open {
  readonly names: Set<string> | null;
  name: string;
}

/**
 * The dotted path of the first member that an object of a JSON text contains twice; null for none. RFC 8259, section 4, leaves
 * open which of the two counts, so the author may mean the dropped one. Two spellings of a name are one name.
 * @param json a text that `JSON.parse` accepted.
 */
export function findRepeatedMember(json: string): string | null {
  const open: Open[] = [];
  let repeated: string | null = null;
  const tokenizer = new JsonTokenizer(
    {
      open: (isObject) => void open.push({ names: isObject ? new Set() : null, name: '' }),
      close: () => void open.pop(),
      name() {
        const object = open.at(-1);
        if (object === undefined) return;
        object.name = tokenizer.name;
        if (object.names?.has(object.name) === true) {
          repeated = open.flatMap(({ names, name }) => (names === null ? [] : [name])).join('.');
          tokenizer.stop();
        }
        object.names?.add(object.name);
      },
    },
    { longestName: Number.POSITIVE_INFINITY },
  );
  tokenizer.push(Buffer.from(json));
  return repeated;
}

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

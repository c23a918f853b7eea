/**
 * The alphabet of the automaton: every byte belongs to one of a few classes, so that a state's row is short.
 * Letters of both cases share a class (case folding); bytes that no keyword uses share class 0.
 * Double quotes of every level (see text/unescape.ts) share a class too.
 * The backslash has its own class: it never continues a keyword, it starts an escape.
 */
const PUNCTUATION = '_-./:=~@!$<>| "\'(&?+#%;,{*';
const BACKSLASH = 0x5c;

export const BACKSLASH_CLASS = 1 + 26 + 10 + PUNCTUATION.length;

/** The cell of a row that names the keywords which end in the state, instead of a next state. */
export const OUTPUT_CELL = BACKSLASH_CLASS + 1;

/** Cells of one state's row. */
export const CLASSES = OUTPUT_CELL + 1;

export const CLASS_OF: Uint8Array = classes();

/**
 * Aho-Corasick over all keywords at once, as one flat table. A state is the offset of its row, so that a step is `state =
 * next[state + CLASS_OF[byte]]` without a multiplication. States below `accept` end no keyword; `escape`, above all states, is
 * every state's successor for a backslash: one comparison serves both cases in the scanning loop.
 */
export interface Automaton {
  readonly next: Int32Array;
  readonly accept: number;
  readonly escape: number;
  /** Keywords that end together in an accepting state, longest first. `index` is `next[state + OUTPUT_CELL]`. */
  outputsOf(index: number): readonly number[];
  /** The longest proper suffix of what a state has read that is still the beginning of a keyword. */
  failOf(state: number): number;
  /** Characters that a state represents, and the keywords that begin with exactly these characters. */
  prefixOf(state: number): { readonly length: number; readonly keywords: readonly number[] };
}

/**
 * The trie of the keywords. A node is a number; the root is 0. Children of a node are linked through `sibling`. Flat arrays,
 * because thousands of small objects would cost a program that starts more time than everything else here.
 */
interface Trie {
  readonly size: number;
  readonly firstChild: Int32Array;
  readonly sibling: Int32Array;
  /** Class of the byte on the edge to the node. */
  readonly byteClass: Uint8Array;
  readonly depth: Uint16Array;
  /** A keyword that begins with the node's characters. */
  readonly sample: Int32Array;
  /** Keywords that end in the node. */
  readonly ends: Map<number, readonly number[]>;
}

/** Keywords are plain ASCII of the alphabet; case does not matter. At least one. */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  return automatonOf(packAutomaton(keywords), keywords);
}

/** What precedes the tables in a packed automaton: states, states that end no keyword, keywords, and all their characters. */
const HEADER = 4;

const charactersIn = (keywords: readonly string[]): number => keywords.reduce((sum, { length }) => sum + length, 0);

/** Whether a packed automaton is that of so many keywords with so many characters. */
export function isPackedFor(packed: Int32Array, keywords: readonly string[]): boolean {
  return packed[2] === keywords.length && packed[3] === charactersIn(keywords);
}

/**
 * All tables of the automaton in one: rows, then for each state its fallback, a keyword that begins with it and its length, then
 * for each accepting state the number of keywords that end there, and which.
 */
export function packAutomaton(keywords: readonly string[]): Int32Array {
  const trie = plant(keywords);
  const { size, firstChild, sibling, byteClass, depth, sample } = trie;
  const { order, fail, outputs } = link(trie);
  // Nodes without an output come first.
  const byState = [...order.filter((node) => !outputs.has(node)), ...order.filter((node) => outputs.has(node))];
  const ends = byState.slice(size - outputs.size).flatMap((node) => {
    const ending = outputs.get(node) ?? [];
    return [ending.length, ...ending];
  });
  const row = new Int32Array(size);
  byState.forEach((node, index) => {
    row[node] = index * CLASSES;
  });
  const escape = size * CLASSES;
  const packed = new Int32Array(HEADER + escape + 3 * size + ends.length);
  packed.set([size, size - outputs.size, keywords.length, charactersIn(keywords)]);
  packed.set(ends, HEADER + escape + 3 * size);
  const next = packed.subarray(HEADER, HEADER + escape);
  const rowOf = (node: number): number => row[node] as number;
  for (const node of order) {
    const own = rowOf(node);
    const inherited = rowOf(fail[node] as number);
    if (node === 0) next.fill(own, own, own + BACKSLASH_CLASS);
    else next.copyWithin(own, inherited, inherited + BACKSLASH_CLASS);
    for (let child = firstChild[node] as number; child !== 0; child = sibling[child] as number) {
      next[own + (byteClass[child] as number)] = rowOf(child);
    }
  }
  byState.forEach((node, index) => {
    next[index * CLASSES + BACKSLASH_CLASS] = escape;
    next[index * CLASSES + OUTPUT_CELL] = index;
    const at = HEADER + escape + index;
    packed[at] = rowOf(fail[node] as number);
    packed[at + size] = sample[node] as number;
    packed[at + 2 * size] = depth[node] as number;
  });
  return packed;
}

/** The automaton that `packAutomaton` made of the same keywords. */
export function automatonOf(packed: Int32Array, keywords: readonly string[]): Automaton {
  const [size = 0, plain = 0] = packed;
  const escape = size * CLASSES;
  const table = (index: number): Int32Array =>
    packed.subarray(HEADER + escape + index * size, HEADER + escape + (index + 1) * size);
  const [fail, sample, depth] = [table(0), table(1), table(2)];
  const prefixes = new Map<number, ReturnType<Automaton['prefixOf']>>();
  return {
    next: packed.subarray(HEADER, HEADER + escape),
    accept: plain * CLASSES,
    escape,
    outputsOf: outputsIn(packed.subarray(HEADER + escape + 3 * size), size, plain),
    failOf: (state) => fail[state / CLASSES] as number,
    prefixOf(state) {
      const known = prefixes.get(state);
      if (known !== undefined) return known;
      const index = state / CLASSES;
      const prefix = findByPrefix(keywords, sample[index] as number, depth[index] as number);
      prefixes.set(state, prefix);
      return prefix;
    },
  };
}

/** Most programs meet a few of the accepting states, so the list of a state is made when it is first asked for. */
function outputsIn(ends: Int32Array, size: number, plain: number): Automaton['outputsOf'] {
  let offsets: Int32Array | null = null;
  const lists: (readonly number[] | undefined)[] = [];
  const listOf = (index: number): readonly number[] => {
    offsets ??= offsetsIn(ends, size - plain);
    const at = offsets[index - plain] as number;
    return Array.from(ends.subarray(at + 1, at + 1 + (ends[at] as number)));
  };
  return (index) => (lists[index] ??= index < plain ? [] : listOf(index));
}

function offsetsIn(ends: Int32Array, count: number): Int32Array {
  const offsets = new Int32Array(count);
  for (let index = 0, at = 0; index < count; index++) {
    offsets[index] = at;
    at += 1 + (ends[at] as number);
  }
  return offsets;
}

const classAt = (keyword: string, at: number): number => CLASS_OF[keyword.charCodeAt(at)] as number;

/** The keywords that begin with the first `length` characters of one of them; none for the empty beginning. */
function findByPrefix(keywords: readonly string[], sample: number, length: number) {
  const letters = Array.from({ length }, (_, at) => classAt(keywords[sample] as string, at));
  const begins = (keyword: string): boolean =>
    keyword.length >= length && letters.every((letter, at) => classAt(keyword, at) === letter);
  const found = length === 0 ? [] : keywords.flatMap((keyword, index) => (begins(keyword) ? [index] : []));
  return { length, keywords: found };
}

function plant(keywords: readonly string[]): Trie {
  const most = 1 + keywords.reduce((sum, { length }) => sum + length, 0);
  const [firstChild, sibling, sample] = [new Int32Array(most), new Int32Array(most), new Int32Array(most)];
  const byteClass = new Uint8Array(most);
  const depth = new Uint16Array(most);
  const ends = new Map<number, number[]>();
  let size = 1;
  for (const [index, keyword] of keywords.entries()) {
    let node = 0;
    for (let at = 0; at < keyword.length; at++) {
      const letter = classAt(keyword, at);
      if (letter === 0 || letter === BACKSLASH_CLASS) throw new Error(`keyword "${keyword}" leaves the alphabet`);
      let child = firstChild[node] as number;
      while (child !== 0 && byteClass[child] !== letter) child = sibling[child] as number;
      if (child === 0) {
        child = size++;
        sibling[child] = firstChild[node] as number;
        firstChild[node] = child;
        byteClass[child] = letter;
        depth[child] = at + 1;
        sample[child] = index;
      }
      node = child;
    }
    const here = ends.get(node);
    if (here === undefined) ends.set(node, [index]);
    else here.push(index);
  }
  return { size, firstChild, sibling, byteClass, depth, sample, ends };
}

/** Breadth first, so that a node's fallback is complete before the node itself. */
function link({ size, firstChild, sibling, byteClass, ends }: Trie) {
  const order = [0];
  const fail = new Int32Array(size);
  const outputs = new Map(ends);
  const childOf = (node: number, letter: number): number => {
    let child = firstChild[node] as number;
    while (child !== 0 && byteClass[child] !== letter) child = sibling[child] as number;
    return child;
  };
  for (let head = 0; head < order.length; head++) {
    const node = order[head] as number;
    for (let child = firstChild[node] as number; child !== 0; child = sibling[child] as number) {
      const letter = byteClass[child] as number;
      let back = node;
      let found = 0;
      while (back !== 0 && found === 0) {
        back = fail[back] as number;
        found = childOf(back, letter);
      }
      fail[child] = found;
      const inherited = outputs.get(found);
      if (inherited !== undefined) outputs.set(child, [...(outputs.get(child) ?? []), ...inherited]);
      order.push(child);
    }
  }
  return { order, fail, outputs };
}

let read: (() => Int32Array | null) | null = null;

/**
 * Where the automaton of all rules was built before, as `loadAutomaton` gives it: a program that runs for a second would spend a tenth
 * of it building. One of other rules, or none, is built again.
 */
export function usePreparedAutomaton(reader: () => Int32Array | null): void {
  read = reader;
}

export function automatonFor(keywords: readonly string[]): Automaton {
  const packed = read?.() ?? null;
  return packed !== null && isPackedFor(packed, keywords) ? automatonOf(packed, keywords) : buildAutomaton(keywords);
}

function classes(): Uint8Array {
  const table = new Uint8Array(256);
  let next = 1;
  for (let letter = 0; letter < 26; letter++) {
    table[0x61 + letter] = next;
    table[0x41 + letter] = next++;
  }
  for (let digit = 0; digit < 10; digit++) table[0x30 + digit] = next++;
  for (const mark of PUNCTUATION) table[mark.charCodeAt(0)] = next++;
  for (const level of [1, 2, 3]) table[level] = table[0x22] as number;
  table[BACKSLASH] = BACKSLASH_CLASS;
  return table;
}

import { BACKSLASH_CLASS, CLASS_OF, CLASSES, OUTPUT_CELL } from './alphabet.ts';

/**
 * Aho-Corasick over all keywords at once, as one flat table. A state is the offset of its row, so that a step is
 * `state = next[state + CLASS_OF[byte]]` with no multiplication. States below `accept` end no keyword; `escape`, above
 * all states, is what every state answers to a backslash: one comparison serves both cases in the scanning loop.
 */
export interface Automaton {
  readonly next: Int32Array;
  readonly accept: number;
  readonly escape: number;
  /** Keywords that end together, longest first: `outputs[next[state + OUTPUT_CELL]]` for an accepting state. */
  readonly outputs: readonly (readonly number[])[];
  /** The longest proper suffix of what a state has read that is still the beginning of a keyword. */
  failOf(state: number): number;
  /** Characters a state stands for, and the keywords that begin with exactly these characters. */
  prefixOf(state: number): { readonly length: number; readonly keywords: readonly number[] };
}

interface Node {
  readonly children: Map<number, Node>;
  readonly depth: number;
  /** Keywords that begin with what this node stands for. */
  readonly through: number[];
  readonly outputs: number[];
  fail: Node | null;
  row: number;
}

/** Keywords are plain ASCII of the alphabet; case does not matter. At least one. */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const root = plant(keywords);
  const nodes = link(root);
  const ordered = [...nodes.filter((n) => n.outputs.length === 0), ...nodes.filter((n) => n.outputs.length > 0)];
  ordered.forEach((node, index) => {
    node.row = index * CLASSES;
  });
  const escape = ordered.length * CLASSES;
  const next = new Int32Array(escape);
  for (const node of nodes) {
    for (let cls = 0; cls < BACKSLASH_CLASS; cls++) {
      const inherited = node.fail === null ? root.row : (next[node.fail.row + cls] as number);
      next[node.row + cls] = node.children.get(cls)?.row ?? inherited;
    }
  }
  ordered.forEach((node, index) => {
    next[node.row + BACKSLASH_CLASS] = escape;
    next[node.row + OUTPUT_CELL] = index;
  });
  const at = (state: number): Node => ordered[state / CLASSES] as Node;
  return {
    next,
    accept: ordered.filter((node) => node.outputs.length === 0).length * CLASSES,
    escape,
    outputs: ordered.map((node) => node.outputs),
    failOf: (state) => at(state).fail?.row ?? root.row,
    prefixOf: (state) => ({ length: at(state).depth, keywords: at(state).through }),
  };
}

function plant(keywords: readonly string[]): Node {
  const root = sprout(0);
  keywords.forEach((keyword, index) => {
    let node = root;
    for (let at = 0; at < keyword.length; at++) {
      const cls = CLASS_OF[keyword.charCodeAt(at)] as number;
      if (cls === 0 || cls === BACKSLASH_CLASS) throw new Error(`keyword "${keyword}" leaves the alphabet`);
      const child = node.children.get(cls) ?? sprout(at + 1);
      node.children.set(cls, child);
      child.through.push(index);
      node = child;
    }
    node.outputs.push(index);
  });
  return root;
}

function sprout(depth: number): Node {
  return { children: new Map(), depth, through: [], outputs: [], fail: null, row: 0 };
}

/** Breadth first, so that a node's fallback is complete before the node itself. */
function link(root: Node): Node[] {
  const nodes = [root];
  for (let head = 0; head < nodes.length; head++) {
    const node = nodes[head] as Node;
    for (const [cls, child] of node.children) {
      let back = node.fail;
      while (back !== null && !back.children.has(cls)) back = back.fail;
      child.fail = back?.children.get(cls) ?? root;
      child.outputs.push(...child.fail.outputs);
      nodes.push(child);
    }
  }
  return nodes;
}

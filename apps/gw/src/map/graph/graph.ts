export const LEVELS = ['package', 'dir', 'file', 'symbol'] as const;
export type Level = (typeof LEVELS)[number];

export interface MapNode {
  /** Path of the file or directory (`.` is the project), or `path#name` of a symbol. */
  readonly id: string;
  readonly label: string;
}

export interface MapEdge {
  readonly from: string;
  readonly to: string;
  /** Imports that the edge represents. */
  readonly count: number;
}

export interface Graph {
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
}

/** Imports between files, merged into edges between the nodes that `nodeOf` gives them; edges within a node are dropped. */
export function graphOf(
  files: Iterable<string>,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  nodeOf: (path: string) => MapNode,
): Graph {
  const nodes = new Map<string, MapNode>();
  const byFile = new Map<string, string>();
  for (const path of files) {
    const node = nodeOf(path);
    nodes.set(node.id, node);
    byFile.set(path, node.id);
  }
  const pairs = new EdgeCounter();
  for (const [path, targets] of imports) {
    const from = byFile.get(path);
    for (const target of targets) {
      const to = byFile.get(target);
      if (from !== undefined && to !== undefined && from !== to) pairs.add(from, to);
    }
  }
  return sortGraph([...nodes.values()], pairs.edges());
}

/** Counts the imports between two nodes. */
export class EdgeCounter {
  readonly #counts = new Map<string, Map<string, number>>();

  add(from: string, to: string): void {
    const targets = this.#counts.get(from) ?? new Map<string, number>();
    targets.set(to, (targets.get(to) ?? 0) + 1);
    this.#counts.set(from, targets);
  }

  edges(): MapEdge[] {
    return [...this.#counts].flatMap(([from, targets]) => [...targets].map(([to, count]) => ({ from, to, count })));
  }
}

/** By id, so that one state of the project always gives one map. */
export function sortGraph(nodes: readonly MapNode[], edges: readonly MapEdge[]): Graph {
  return {
    nodes: nodes.toSorted((one, other) => compare(one.id, other.id)),
    edges: edges.toSorted((one, other) => compare(one.from, other.from) || compare(one.to, other.to)),
  };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The subgraph of these nodes, with the edges between them. */
export function subgraph({ nodes, edges }: Graph, keep: ReadonlySet<string>): Graph {
  return {
    nodes: nodes.filter(({ id }) => keep.has(id)),
    edges: edges.filter(({ from, to }) => keep.has(from) && keep.has(to)),
  };
}

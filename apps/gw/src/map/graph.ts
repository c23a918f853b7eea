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

/** The nodes that are at most `depth` edges, in either direction, away from the given ones. */
export function neighbourhood(graph: Graph, from: Iterable<string>, depth: number): ReadonlySet<string> {
  const beside = new Map<string, string[]>();
  const link = (one: string, other: string): void => {
    const known = beside.get(one);
    if (known === undefined) beside.set(one, [other]);
    else known.push(other);
  };
  for (const { from: one, to: other } of graph.edges) {
    link(one, other);
    link(other, one);
  }
  const reached = new Set(from);
  let border: ReadonlySet<string> = new Set(reached);
  for (let step = 0; step < depth; step++) {
    const next = new Set<string>();
    for (const id of border) for (const other of beside.get(id) ?? []) if (!reached.has(other)) next.add(other);
    for (const id of next) reached.add(id);
    border = next;
  }
  return reached;
}

/** The `max` nodes with the most imports, the `first` ones before all others; says how many were left out. */
export function limit(graph: Graph, max: number, first: ReadonlySet<string>): { graph: Graph; omitted: number } {
  if (graph.nodes.length <= max) return { graph, omitted: 0 };
  const weight = new Map<string, number>();
  for (const { from, to, count } of graph.edges) {
    weight.set(from, (weight.get(from) ?? 0) + count);
    weight.set(to, (weight.get(to) ?? 0) + count);
  }
  const rank = (id: string): number => (first.has(id) ? Number.MAX_SAFE_INTEGER : (weight.get(id) ?? 0));
  const kept = graph.nodes.toSorted((one, other) => rank(other.id) - rank(one.id)).slice(0, max);
  return { graph: subgraph(graph, new Set(kept.map(({ id }) => id))), omitted: graph.nodes.length - max };
}

/**
 * A Mermaid flowchart. Ids are numbers, for Mermaid reserves words such as `end`; labels are quoted, with entities for
 * the characters that Mermaid interprets.
 * @param marked nodes to be highlighted: what a change touches.
 */
export function mermaidOf({ nodes, edges }: Graph, marked: ReadonlySet<string>): string {
  const short = new Map(nodes.map(({ id }, at) => [id, `n${at}`]));
  const lines = nodes.map(({ id, label }) => `  ${short.get(id)}["${escapeLabel(label)}"]`);
  for (const { from, to, count } of edges) {
    lines.push(`  ${short.get(from)} -->${count > 1 ? `|${count}|` : ''} ${short.get(to)}`);
  }
  const changed = nodes.filter(({ id }) => marked.has(id)).map(({ id }) => short.get(id));
  if (changed.length > 0) lines.push('  classDef changed stroke-width:3px', `  class ${changed.join(',')} changed`);
  return ['flowchart LR', ...lines, ''].join('\n');
}

function escapeLabel(label: string): string {
  return label.replaceAll(/[#"<>&`\\[\]{}|]|[\p{Cc}]/gu, (letter) => `#${letter.codePointAt(0)};`);
}

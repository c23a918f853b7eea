import { type Graph, subgraph } from './graph.ts';

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

import { type Graph, subgraph } from './graph.ts';

/** The nodes that are at most `depth` edges, in either direction, away from the given ones. */
export function neighbourhood(graph: Graph, from: Iterable<string>, depth: number): ReadonlySet<string> {
  const beside = new Map<string, string[]>();
  for (const { from: one, to: other } of graph.edges) {
    beside.set(one, [...(beside.get(one) ?? []), other]);
    beside.set(other, [...(beside.get(other) ?? []), one]);
  }
  const reached = new Set(from);
  let border = [...reached];
  for (let step = 0; step < depth; step++) {
    border = border.flatMap((id) => beside.get(id) ?? []).filter((id) => !reached.has(id));
    for (const id of border) reached.add(id);
  }
  return reached;
}

/** The `max` nodes with the most imports, the `first` ones before all others; says how many were left out. */
export function limited(graph: Graph, max: number, first: ReadonlySet<string>): { graph: Graph; omitted: number } {
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

import { array, assert, constantFrom, integer, property, subarray, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Graph, sortGraph, subgraph } from './graph.ts';
import { limit, neighbourhood } from './select.ts';

const IDS = 'abcdefgh'.split('');
const graphs = array(tuple(constantFrom(...IDS), constantFrom(...IDS), integer({ min: 1, max: 9 })), {
  maxLength: 20,
}).map(
  (edges): Graph =>
    sortGraph(
      IDS.map((id) => ({ id, label: id })),
      edges.map(([from, to, count]) => ({ from, to, count })),
    ),
);

describe('the neighbourhood of nodes', () => {
  it('grows with the depth until nothing is left, and has the nodes that it began with', () => {
    assert(
      property(graphs, subarray(IDS), (graph, from) => {
        let before = new Set<string>();
        for (let depth = 0; depth <= IDS.length; depth += 1) {
          const now = neighbourhood(graph, from, depth);
          expect([...before].every((id) => now.has(id))).toBe(true);
          before = new Set(now);
        }
        expect(neighbourhood(graph, from, IDS.length + 1)).toEqual(before);
        expect(from.every((id) => before.has(id))).toBe(true);
        // Nothing leads out of what is reached without end.
        expect(graph.edges.every((edge) => before.has(edge.from) === before.has(edge.to))).toBe(true);
      }),
    );
  });

  it('of a node that many have is found in a graph of a hundred thousand edges', () => {
    const edges = Array.from({ length: 100_000 }, (_, at) => ({
      from: `n${at}`,
      to: at % 2 === 0 ? 'hub' : `n${at - 1}`,
      count: 1,
    }));
    expect(neighbourhood({ nodes: [], edges }, ['hub'], 1).size).toBe(50_001);
    expect(neighbourhood({ nodes: [], edges }, ['hub'], 2).size).toBe(100_001);
  });

  it('is found where each of many nodes leads to each of many others', () => {
    const layer = (name: string): readonly string[] => Array.from({ length: 100 }, (_, at) => `${name}${at}`);
    const layers = ['a', 'b', 'c', 'd', 'e'].map(layer);
    const edges = layers
      .slice(1)
      .flatMap((lower, at) => (layers[at] ?? []).flatMap((from) => lower.map((to) => ({ from, to, count: 1 }))));
    expect(neighbourhood({ nodes: [], edges }, ['a0'], 4).size).toBe(500);
  });
});

describe('a map of so many nodes at most', () => {
  it('has exactly so many, those that come first, and no edge without its nodes', () => {
    assert(
      property(graphs, integer({ min: 1, max: 10 }), subarray(IDS, { maxLength: 3 }), (graph, max, first) => {
        const { graph: kept, omitted } = limit(graph, max, new Set(first));
        const ids = new Set(kept.nodes.map(({ id }) => id));
        expect([kept.nodes.length, omitted]).toEqual([Math.min(max, IDS.length), Math.max(0, IDS.length - max)]);
        expect(first.filter((id) => ids.has(id)).length).toBe(Math.min(first.length, max));
        expect(kept).toEqual(subgraph(graph, ids));
      }),
    );
  });
});

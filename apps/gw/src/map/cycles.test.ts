import { array, assert, integer, property, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Graph } from './graph.ts';
import { cyclesOf } from './levels.ts';

const idOf = (node: number): string => `n${String(node).padStart(5, '0')}`;
function graphOf(size: number, edges: readonly (readonly [number, number])[]): Graph {
  const nodes = Array.from({ length: size }, (_, node) => ({ id: idOf(node), label: idOf(node) }));
  return {
    nodes,
    edges: edges.map(([from, to]) => ({ from: idOf(from), to: idOf(to), count: 1 })),
  };
}

/** The nodes that each node reaches, by following edges until nothing is added. */
function reached(size: number, edges: readonly (readonly [number, number])[]): Set<number>[] {
  return Array.from({ length: size }, (_, start) => {
    const seen = new Set<number>();
    const queue = [start];
    for (const node of queue) {
      for (const [from, to] of edges) {
        if (from !== node || seen.has(to)) continue;
        seen.add(to);
        queue.push(to);
      }
    }
    return seen;
  });
}

const SIZE = 8;
const edges = array(tuple(integer({ min: 0, max: SIZE - 1 }), integer({ min: 0, max: SIZE - 1 })), { maxLength: 20 });

describe('the cycles of a graph', () => {
  it('are one for each group of nodes that reach each other, beginning with its first node', () => {
    assert(
      property(edges, (list) => {
        const reach = reached(SIZE, list);
        const groupOf = (node: number): string =>
          Array.from({ length: SIZE }, (_, other) => other)
            .filter((other) => other === node || (reach[node]?.has(other) === true && reach[other]?.has(node) === true))
            .join();
        const groups = new Set(Array.from({ length: SIZE }, (_, node) => groupOf(node)));
        const firsts = [...groups]
          .filter((group) => group.includes(','))
          .map((group) => idOf(Number(group.split(',')[0])));
        expect(cyclesOf(graphOf(SIZE, list)).map(([first]) => first)).toEqual(firsts.toSorted());
      }),
      { numRuns: 1000 },
    );
  });

  it('go along edges from each node to the next and back to the first, each node once', () => {
    assert(
      property(edges, (list) => {
        const has = new Set(list.map(([from, to]) => `${idOf(from)} ${idOf(to)}`));
        for (const cycle of cyclesOf(graphOf(SIZE, list))) {
          expect(new Set(cycle).size).toBe(cycle.length);
          for (const [index, node] of cycle.entries()) {
            expect(has.has(`${node} ${cycle[(index + 1) % cycle.length] ?? ''}`)).toBe(true);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the shortest through their first node', () => {
    const long = [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 0],
    ] as const;
    expect(cyclesOf(graphOf(4, long))).toEqual([['n00000', 'n00001', 'n00002', 'n00003']]);
    expect(cyclesOf(graphOf(4, [...long, [1, 0]]))).toEqual([['n00000', 'n00001']]);
  });

  it('are none of a node that imports itself, of a tree, and of nothing', () => {
    expect(
      cyclesOf(
        graphOf(2, [
          [0, 0],
          [0, 1],
        ]),
      ),
    ).toEqual([]);
    expect(
      cyclesOf(
        graphOf(3, [
          [0, 1],
          [0, 2],
          [1, 2],
        ]),
      ),
    ).toEqual([]);
    expect(cyclesOf(graphOf(0, []))).toEqual([]);
  });

  it('are found in a chain of any length', () => {
    const size = 20_000;
    const chain = Array.from({ length: size - 1 }, (_, node): [number, number] => [node, node + 1]);
    expect(cyclesOf(graphOf(size, chain))).toEqual([]);
    expect(cyclesOf(graphOf(size, [...chain, [size - 1, 0]]))[0]).toHaveLength(size);
  });
});

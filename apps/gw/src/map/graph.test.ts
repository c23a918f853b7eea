import { array, assert, constantFrom, integer, property, subarray, tuple, uniqueArray } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Graph, limit, mermaidOf, neighbourhood, sortGraph, subgraph } from './graph.ts';
import { cyclesOf, violationsOf } from './levels.ts';
import { mapOf } from './testing/project.ts';

const CHAIN = {
  'package.json': '{"name":"chain"}',
  'a/one.ts': "import { two } from '../b/two.ts';\nexport const one = two;\n",
  'b/two.ts': "import { three } from '../c/three.ts';\nexport const two = three;\nexport const other = 1;\n",
  'c/three.ts': 'export const three = 3;\n',
};
const graph = (ids: string, ...edges: string[]): Graph => ({
  nodes: ids.split('').map((id) => ({ id, label: id })),
  edges: edges.map(([from = '', to = '']) => ({ from, to, count: 1 })),
});
const arrows = ({ edges }: Graph) => edges.map(({ from, to }) => `${from} -> ${to}`);

describe('levels', () => {
  it('merges files into directories and packages, and follows names between declarations', async () => {
    const map = await mapOf(CHAIN);
    expect(arrows(map.graph('dir'))).toEqual(['a -> b', 'b -> c']);
    expect(map.graph('package')).toEqual({ nodes: [{ id: '.', label: 'chain' }], edges: [] });
    expect(arrows(map.graph('symbol'))).toEqual(['a/one.ts#one -> b/two.ts#two', 'b/two.ts#two -> c/three.ts#three']);
    expect(map.graph('symbol').nodes.map(({ label }) => label)).toContain('variable three (c/three.ts)');
  });
});

describe('cycles', () => {
  it('finds a shortest cycle of each group, beginning with the smallest id', () => {
    expect(cyclesOf(graph('abcdxy', 'ab', 'bc', 'cd', 'da', 'ca', 'xy', 'yx', 'dx'))).toEqual([
      ['a', 'b', 'c'],
      ['x', 'y'],
    ]);
    expect(cyclesOf(graph('abc', 'ab', 'bc', 'ac'))).toEqual([]);
  });

  it('agrees with reachability on random graphs, and every cycle is one', () => {
    const letters = 'abcdefgh'.split('');
    const edge = tuple(constantFrom(...letters), constantFrom(...letters)).filter(([from, to]) => from !== to);
    assert(
      property(uniqueArray(edge, { selector: ([from, to]) => from + to, maxLength: 24 }), (pairs) => {
        const edges = new Set(pairs.map(([from, to]) => from + to));
        const reach = new Set(edges);
        for (const via of letters)
          for (const from of letters)
            for (const to of letters) if (reach.has(from + via) && reach.has(via + to)) reach.add(from + to);
        const cycles = cyclesOf(graph('abcdefgh', ...edges));
        for (const cycle of cycles) {
          cycle.forEach((id, at) => expect(edges).toContain(id + cycle[(at + 1) % cycle.length]));
        }
        const groups = new Set(
          letters
            .filter((id) => reach.has(id + id))
            .map((id) => letters.find((o) => reach.has(id + o) && reach.has(o + id))),
        );
        expect(cycles.length).toBe(groups.size);
      }),
    );
  });

  it('handles a chain of a hundred thousand files', () => {
    const ids = Array.from({ length: 100_000 }, (_, at) => String(at));
    const edges = ids.map((from, at) => ({ from, to: ids[(at + 1) % ids.length] ?? '', count: 1 }));
    const [cycle] = cyclesOf({ nodes: ids.map((id) => ({ id, label: id })), edges });
    expect(cycle?.length).toBe(100_000);
  });
});

describe('selection', () => {
  it('takes neighbours in both directions up to the depth', () => {
    const chain = graph('abcd', 'ab', 'bc', 'cd');
    expect([...neighbourhood(chain, ['b'], 1)].toSorted()).toEqual(['a', 'b', 'c']);
    expect([...neighbourhood(chain, ['b'], 0)]).toEqual(['b']);
    expect(neighbourhood(chain, ['a'], 9).size).toBe(4);
  });

  it('keeps the nodes with the most imports, and the first ones in any case', () => {
    const star = graph('abcde', 'ab', 'ac', 'ad');
    expect(limit(star, 2, new Set(['e']))).toMatchObject({
      omitted: 3,
      graph: { nodes: [{ id: 'a' }, { id: 'e' }] },
    });
    expect(limit(star, 5, new Set()).omitted).toBe(0);
  });
});

describe('layers', () => {
  const imports = new Map([
    ['app/a.ts', new Set(['core/b.ts', 'app/c.ts', 'free.ts'])],
    ['core/b.ts', new Set(['app/a.ts', 'tool/t.ts'])],
  ]);
  it('forbids what is above, and what a layer does not name', () => {
    const layers = [
      { name: 'app', paths: ['app/**'] },
      { name: 'core', paths: ['core/**'], imports: [] },
      { name: 'tool', paths: ['tool/**'] },
    ];
    expect(violationsOf(layers, imports).map(({ from, to }) => `${from} -> ${to}`)).toEqual([
      'core/b.ts -> app/a.ts',
      'core/b.ts -> tool/t.ts',
    ]);
  });
});

describe('Mermaid', () => {
  it('escapes what Mermaid would interpret, and marks what changed', () => {
    const text = mermaidOf({ nodes: [{ id: 'x', label: 'a"]-->b;\n#' }], edges: [] }, new Set(['x']));
    expect(text).toBe(
      'flowchart LR\n  n0["a#34;#93;--#62;b;#10;#35;"]\n  classDef changed stroke-width:3px\n  class n0 changed\n',
    );
  });
});

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

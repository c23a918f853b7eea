import type { Graph } from './graph.ts';

/**
 * One cycle for each group of nodes that reach each other (strongly connected components, Tarjan's algorithm, without
 * recursion: a long chain of files must not exhaust the stack). Each cycle is a shortest one of its group and begins
 * with its smallest id; its last node imports the first.
 */
export function cyclesOf(graph: Graph): readonly (readonly string[])[] {
  const targets = new Map<string, string[]>(graph.nodes.map(({ id }) => [id, []]));
  for (const { from, to } of graph.edges) targets.get(from)?.push(to);
  return components([...targets.keys()], targets)
    .filter((group) => group.length > 1)
    .map((group) => shortestCycle(group.toSorted(), targets))
    .toSorted((one, other) => ((one[0] ?? '') < (other[0] ?? '') ? -1 : 1));
}

interface Visit {
  readonly id: string;
  next: number;
}

function components(ids: readonly string[], targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const found: string[][] = [];
  const lower = (id: string, value: number) => low.set(id, Math.min(low.get(id) ?? value, value));
  for (const start of ids) {
    if (order.has(start)) continue;
    const path: Visit[] = [];
    const enter = (id: string): void => {
      order.set(id, order.size);
      low.set(id, order.get(id) ?? 0);
      open.push(id);
      isOpen.add(id);
      path.push({ id, next: 0 });
    };
    enter(start);
    for (let visit = path.at(-1); visit !== undefined; visit = path.at(-1)) {
      const target = targets.get(visit.id)?.[visit.next++];
      if (target !== undefined) {
        if (!order.has(target)) enter(target);
        else if (isOpen.has(target)) lower(visit.id, order.get(target) ?? 0);
        continue;
      }
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) lower(parent.id, low.get(visit.id) ?? 0);
      if (low.get(visit.id) !== order.get(visit.id)) continue;
      // From the end: a group is among the last, and a long chain has all of its files open.
      const group = open.splice(open.lastIndexOf(visit.id));
      for (const id of group) isOpen.delete(id);
      found.push(group);
    }
  }
  return found;
}

/** Breadth-first from the smallest id back to itself. */
function shortestCycle(group: readonly string[], targets: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const inside = new Set(group);
  const [start = ''] = group;
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const id of queue) {
    for (const target of targets.get(id) ?? []) {
      if (target === start) {
        const cycle = [id];
        for (let at = id; at !== start; ) {
          at = cameFrom.get(at) ?? start;
          cycle.push(at);
        }
        return cycle.toReversed();
      }
      if (!inside.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, id);
      queue.push(target);
    }
  }
  return group;
}

import { matchesGlob, posix } from 'node:path';
import { EdgeCounter, type Graph, graphOf, type Level, type MapNode, sortGraph } from './graph.ts';
import { type FileFacts, nearestWith, type ProjectIndex } from './languages/project-index.ts';

type NameIn = (text: string) => string | undefined;
const matched =
  (pattern: RegExp): NameIn =>
  (text) =>
    pattern.exec(text)?.[1];
const nameless: NameIn = () => undefined;

/** Manifests that make a directory a package, with the name they give it. */
const PACKAGES: readonly (readonly [file: string, name: NameIn])[] = [
  ['package.json', jsonName],
  ['go.mod', matched(/^module\s+"?([^\s"]+)/m)],
  ['Cargo.toml', matched(/^\[package\][\s\S]*?^\s*name\s*=\s*"([^"]+)"/m)],
  ['pyproject.toml', matched(/^\s*name\s*=\s*"([^"]+)"/m)],
  ['composer.json', jsonName],
  ['pom.xml', (text) => matched(/<artifactId>([^<]+)</)(text.replace(/<parent>[\s\S]*?<\/parent>/, ''))],
  ['build.gradle', nameless],
  ['build.gradle.kts', nameless],
  ['setup.py', matched(/name\s*=\s*["']([^"']+)/)],
];
const PACKAGE_FILES = PACKAGES.map(([file]) => file);

export type Imports = ReadonlyMap<string, ReadonlySet<string>>;

export function graphAt(
  level: Level,
  facts: ReadonlyMap<string, FileFacts>,
  imports: Imports,
  project: ProjectIndex,
): Graph {
  if (level === 'symbol') return symbolGraph(facts, imports);
  return graphOf(facts.keys(), imports, (path) => nodeAt(level, path, project));
}

/** The node of a level that a file belongs to. */
export function nodeAt(level: Exclude<Level, 'symbol'>, path: string, project: ProjectIndex): MapNode {
  if (level === 'file') return { id: path, label: path };
  if (level === 'dir') return { id: posix.dirname(path), label: posix.dirname(path) };
  const directory = nearestWith(project, path, PACKAGE_FILES) ?? '.';
  return { id: directory, label: project.once(`package ${directory}`, () => packageName(project, directory)) };
}

function packageName(project: ProjectIndex, directory: string): string {
  for (const [file, nameIn] of PACKAGES) {
    const name = nameIn(project.manifest(posix.join(directory, file)) ?? '');
    if (name !== undefined) return name.trim();
  }
  return directory;
}

function jsonName(text: string): string | undefined {
  try {
    const { name } = (JSON.parse(text) ?? {}) as { readonly name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined; // no manifest here, or a damaged one
  }
}

/** A declaration uses another where its text names it and its file imports the other's file, or is the same. */
function symbolGraph(facts: ReadonlyMap<string, FileFacts>, imports: Imports): Graph {
  const idOf = (path: string, name: string) => `${path}#${name}`;
  const nodes = new Map<string, MapNode>();
  const edges = new EdgeCounter();
  for (const [path, { symbols, identifiers }] of facts) {
    const reachable = new Map<string, string>();
    for (const from of [...(imports.get(path) ?? []), path]) {
      for (const { name } of facts.get(from)?.symbols ?? []) reachable.set(name, idOf(from, name));
    }
    for (const { name, kind, uses } of symbols) {
      const id = idOf(path, name);
      nodes.set(id, { id, label: `${kind} ${name} (${path})` });
      const targets = new Set(uses.map((at) => reachable.get(identifiers[at] ?? '')));
      for (const target of targets) if (target !== undefined && target !== id) edges.add(id, target);
    }
  }
  return sortGraph([...nodes.values()], edges.edges());
}

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

/** A layer of `.gateway/layers.yaml`. */
export interface Layer {
  readonly name: string;
  /** Glob patterns of files, relative to the project. */
  readonly paths: readonly string[];
  /** Names of the layers it may import; undefined means all that follow it. */
  readonly imports?: readonly string[] | undefined;
}

interface Violation {
  readonly from: string;
  readonly to: string;
  readonly fromLayer: string;
  readonly toLayer: string;
}

/**
 * Imports that the order of the layers forbids. Layers are listed from the top down: a layer may import itself and the layers
 * below it, or those that it names. Files of no layer are free.
 */
export function violationsOf(
  layers: readonly Layer[],
  imports: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Violation[] {
  const layerOf = memoize((path) => layers.findIndex(({ paths }) => paths.some((glob) => matchesGlob(path, glob))));
  const found: Violation[] = [];
  for (const [from, targets] of imports) {
    const upper = layers[layerOf(from)];
    if (upper === undefined) continue;
    for (const to of targets) {
      const lower = layers[layerOf(to)];
      if (lower === undefined || lower === upper) continue;
      const allowed = upper.imports?.includes(lower.name) ?? layerOf(to) > layerOf(from);
      if (!allowed) found.push({ from, to, fromLayer: upper.name, toLayer: lower.name });
    }
  }
  return found.toSorted((one, other) => (one.from + one.to < other.from + other.to ? -1 : 1));
}

function memoize(compute: (path: string) => number): (path: string) => number {
  const known = new Map<string, number>();
  return (path) => {
    const value = known.get(path) ?? compute(path);
    known.set(path, value);
    return value;
  };
}

import { posix } from 'node:path';
import type { FileFacts } from '../facts/facts.ts';
import { nearestWith, type ProjectIndex } from '../facts/project-index.ts';
import { EdgeCounter, type Graph, graphOf, type Level, type MapNode, sortGraph } from './graph.ts';

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

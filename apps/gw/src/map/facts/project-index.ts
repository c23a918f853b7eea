import { posix } from 'node:path';
import type { FileFacts } from './facts.ts';

/** The files of a project and what they declare, for the resolution of imports. Paths are relative, with `/`. */
export interface ProjectIndex {
  has(path: string): boolean;
  /** Paths of the files of a directory; empty where there is none. */
  filesIn(directory: string): readonly string[];
  /** The text of a manifest (`package.json`, `go.mod`, `tsconfig.json`, …) of the project. */
  manifest(path: string): string | undefined;
  manifests(name: string): readonly string[];
  facts(path: string): FileFacts | undefined;
  /** Files of a language that declare a namespace. */
  inNamespace(language: string, namespace: string): readonly string[];
  /** Files of a language that declare a name at their top level. */
  declaring(language: string, name: string): readonly string[];
  /** A value computed once per project, such as parsed manifests. */
  once<T>(key: string, compute: () => T): T;
}

const NOTHING: readonly string[] = [];

export function createProjectIndex(
  files: Iterable<string>,
  facts: ReadonlyMap<string, FileFacts>,
  manifests: ReadonlyMap<string, string>,
): ProjectIndex {
  const all = new Set(files);
  const byDirectory = new Map<string, string[]>();
  for (const path of all) push(byDirectory, posix.dirname(path), path);
  const byNamespace = new Map<string, string[]>();
  const byName = new Map<string, string[]>();
  for (const [path, { language, namespaces, symbols }] of facts) {
    for (const namespace of namespaces) push(byNamespace, `${language}:${namespace}`, path);
    for (const name of new Set(symbols.map((symbol) => symbol.name))) push(byName, `${language}:${name}`, path);
  }
  const byManifest = new Map<string, string[]>();
  for (const path of manifests.keys()) push(byManifest, posix.basename(path), path);
  const kept = new Map<string, unknown>();
  return {
    has: (path) => all.has(path),
    filesIn: (directory) => byDirectory.get(directory) ?? NOTHING,
    manifest: (path) => manifests.get(path),
    manifests: (name) => byManifest.get(name) ?? NOTHING,
    facts: (path) => facts.get(path),
    inNamespace: (language, namespace) => byNamespace.get(`${language}:${namespace}`) ?? NOTHING,
    declaring: (language, name) => byName.get(`${language}:${name}`) ?? NOTHING,
    once<T>(key: string, compute: () => T): T {
      if (!kept.has(key)) kept.set(key, compute());
      return kept.get(key) as T;
    },
  };
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** The nearest directory at or above a file that contains one of the named manifests; null if none does. */
export function nearestWith(project: ProjectIndex, path: string, names: readonly string[]): string | null {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    if (names.some((name) => project.manifest(within(at, name)) !== undefined)) return at;
    if (at === '.') return null;
  }
}

/** A path below a directory, where `.` is the project itself; null where it climbs out of the project. */
export function within(directory: string, path: string): string {
  return posix.normalize(posix.join(directory, path));
}

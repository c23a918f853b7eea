import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { GrammarName } from '../../process/grammars.ts';

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

/** One dependency as the source writes it. */
export interface ImportFact {
  /** Module, path or qualified name, without quotes. */
  readonly from: string;
  /** Names that the statement takes from there; empty where it takes the whole. */
  readonly names: readonly string[];
  /** What the language distinguishes: `relative` includes, `module` declarations, `wildcard` imports. */
  readonly kind: ImportKind;
}

type ImportKind = 'import' | 'relative' | 'system' | 'module' | 'wildcard';

/** A declaration at the top level of a file, or of a namespace in it. */
export interface SymbolFact {
  readonly name: string;
  /** The grammar's word for it without `_declaration` and the like: `function`, `class`, … */
  readonly kind: string;
  /** Lines, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** Identifiers in its text, as positions in `FileFacts.identifiers`. */
  readonly uses: readonly number[];
}

/** The facts of one source file; cached between runs as long as the file does not change. */
export interface FileFacts {
  readonly language: string;
  /** Package or namespaces that the file declares, dots between their parts; empty where the language has none. */
  readonly namespaces: readonly string[];
  readonly imports: readonly ImportFact[];
  readonly symbols: readonly SymbolFact[];
  /** Every identifier outside comments and strings, once; empty where they were not asked for. */
  readonly identifiers: readonly string[];
  /** False where identifiers, and the uses of the symbols, were left out: finding them takes a quarter of the time. */
  readonly hasUses: boolean;
}

/**
 * A language of the map. Adding one: a file in `languages/`, its line in `languages/index.ts`, its grammar in
 * `process/grammars.ts`.
 */
export interface Language {
  readonly id: string;
  /** Endings of file names, with the dot. */
  readonly extensions: readonly string[];
  /** Name of the grammar's `.wasm` file, without its ending. */
  readonly grammar: GrammarName;
  /**
   * Tree-sitter query. Captures: `import` is handed to `imports`; `symbol` is a declaration and `name` its name;
   * `namespace` is the name of a package or namespace.
   */
  readonly query: string;
  /** If this text does not occur in a file, all matches of the query are near the root, which is faster to search. */
  readonly deep?: RegExp;
  /** Files that declare no namespace share an unnamed one. */
  readonly namespaced?: boolean;
  /** Imports are resolved by the identifiers that a file uses. */
  readonly resolvedByUse?: true;
  /** The dependencies that one captured `import` node states. */
  imports(node: Node): readonly ImportFact[];
  /** Paths of the project's files that the file depends on. */
  resolve(path: string, facts: FileFacts, project: ProjectIndex): Iterable<string>;
}

/** The text of a string node, without its quotes. */
export function unquote(text: string): string {
  return text.replace(/^[^'"`<]*['"`<]+/, '').replace(/['"`>]+$/, '');
}

export const plainImport = (from: string, names: readonly string[] = []): ImportFact => ({
  from,
  names,
  kind: 'import',
});

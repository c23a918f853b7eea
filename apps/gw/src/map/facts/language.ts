import type { Node } from 'web-tree-sitter';
import type { GrammarName } from '../../grammars/packages.ts';
import type { FileFacts, ImportFact } from './facts.ts';
import type { ProjectIndex } from './project-index.ts';

/**
 * A language of the map. Adding one: a file in `languages/`, its line in `languages/index.ts`, its grammar in
 * `grammars/grammars.ts`.
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

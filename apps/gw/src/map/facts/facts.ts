/** One dependency as the source writes it. */
export interface ImportFact {
  /** Module, path or qualified name, without quotes. */
  readonly from: string;
  /** Names that the statement takes from there; empty where it takes the whole. */
  readonly names: readonly string[];
  /** What the language distinguishes: `relative` includes, `module` declarations, `wildcard` imports. */
  readonly kind: ImportKind;
}

export type ImportKind = 'import' | 'relative' | 'system' | 'module' | 'wildcard';

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

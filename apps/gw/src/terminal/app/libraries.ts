import type { FuzzySearch } from '../completion/fuzzy.ts';
import type { ShowDiff } from '../diff/view.ts';
import type { Highlight } from '../markdown/highlight.ts';
import type { Lexer } from '../markdown/stream.ts';

/** What is loaded when it is first needed, so that the first paint waits for none of it. */
export interface Libraries {
  lexer(): Promise<Lexer>;
  highlight(): Promise<Highlight>;
  diff(): Promise<ShowDiff>;
  fuzzy(): Promise<FuzzySearch>;
  /** What is loaded by now. */
  readonly loaded: {
    readonly lexer: Lexer | null;
    readonly highlight: Highlight | null;
    readonly diff: ShowDiff | null;
  };
}

export function createLibraries(): Libraries {
  const loaded: { lexer: Lexer | null; highlight: Highlight | null; diff: ShowDiff | null } = {
    lexer: null,
    highlight: null,
    diff: null,
  };
  let fuzzy: Promise<FuzzySearch> | null = null;
  return {
    loaded,
    lexer: async () => {
      loaded.lexer ??= (await import('../markdown/lexer.ts')).lexer;
      return loaded.lexer;
    },
    highlight: async () => {
      loaded.highlight ??= await (await import('../markdown/highlight.ts')).loadHighlight();
      return loaded.highlight;
    },
    diff: async () => {
      loaded.diff ??= await (await import('../diff/view.ts')).loadDiff();
      return loaded.diff;
    },
    fuzzy: () => {
      fuzzy ??= import('../completion/fuzzy.ts').then(({ loadFuzzySearch }) => loadFuzzySearch());
      return fuzzy;
    },
  };
}

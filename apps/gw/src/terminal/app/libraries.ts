import type { Highlight } from '../markdown/highlight.ts';
import type { Lexer } from '../markdown/stream.ts';
import type { ShowDiff } from '../view/diff.ts';
import type { FuzzySearch } from './fuzzy.ts';

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
      loaded.diff ??= await (await import('../view/diff.ts')).loadDiff();
      return loaded.diff;
    },
    fuzzy: () => {
      fuzzy ??= import('./fuzzy.ts').then(({ loadFuzzySearch }) => loadFuzzySearch());
      return fuzzy;
    },
  };
}

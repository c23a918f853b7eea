import { describe, expect, it } from 'vitest';
import { GRAMMAR_PACKAGES, type GrammarName, loadGrammar, loadRuntime } from './grammars.ts';

/** A line of each language that another one does not have. */
const LINES: Readonly<Record<GrammarName, string>> = {
  'tree-sitter-bash': 'if [[ -f x ]]; then echo "$x"; fi',
  'tree-sitter-c': 'static int *f(void) { return 0; }',
  'tree-sitter-c_sharp': 'namespace A; public record B(int C);',
  'tree-sitter-cpp': 'template <typename T> concept C = requires(T t) { t.f(); };',
  'tree-sitter-go': 'package a\n\nfunc F[T any](t T) { defer f() }\n',
  'tree-sitter-java': 'sealed interface A permits B {}',
  'tree-sitter-javascript': 'export const f = async () => await g?.();',
  'tree-sitter-kotlin': 'fun String.f(): Int = this.length',
  'tree-sitter-php': '<?php enum A: string { case B = "b"; }',
  'tree-sitter-python': 'async def f(a: int, /) -> None: ...',
  'tree-sitter-ruby': 'def f = puts("a")',
  'tree-sitter-rust': "fn f<'a>(s: &'a str) -> &'a str { s }",
  'tree-sitter-tsx': 'const a = <p b={1}>c</p>;',
  'tree-sitter-typescript': 'const a = <T,>(b: T): b is T => true;',
};

describe('a grammar', () => {
  it.each(Object.keys(GRAMMAR_PACKAGES) as GrammarName[])(
    '%s reads a line of its language without a fault',
    async (name) => {
      const { Parser } = await loadRuntime();
      const parser = new Parser();
      parser.setLanguage(await loadGrammar(name));
      const tree = parser.parse(LINES[name]);
      expect(tree?.rootNode.hasError).toBe(false);
      tree?.delete();
      parser.delete();
    },
  );

  it('is loaded once, however many ask for it at the same time', async () => {
    const loaded = await Promise.all([1, 2, 3].map(async () => loadGrammar('tree-sitter-go')));
    expect(new Set(loaded).size).toBe(1);
  });
});

/** Packages of the grammars, by the name of their `.wasm` file. The build puts the files beside the bundle. */
export const GRAMMAR_PACKAGES = {
  'tree-sitter-bash': 'tree-sitter-bash',
  'tree-sitter-c': 'tree-sitter-c',
  'tree-sitter-c_sharp': 'tree-sitter-c-sharp',
  'tree-sitter-cpp': 'tree-sitter-cpp',
  'tree-sitter-go': 'tree-sitter-go',
  'tree-sitter-java': 'tree-sitter-java',
  'tree-sitter-javascript': 'tree-sitter-javascript',
  'tree-sitter-kotlin': '@tree-sitter-grammars/tree-sitter-kotlin',
  'tree-sitter-php': 'tree-sitter-php',
  'tree-sitter-python': 'tree-sitter-python',
  'tree-sitter-ruby': 'tree-sitter-ruby',
  'tree-sitter-rust': 'tree-sitter-rust',
  'tree-sitter-tsx': 'tree-sitter-typescript',
  'tree-sitter-typescript': 'tree-sitter-typescript',
} as const;
export type GrammarName = keyof typeof GRAMMAR_PACKAGES;

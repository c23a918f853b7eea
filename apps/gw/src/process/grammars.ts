import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type * as TreeSitter from 'web-tree-sitter';

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

const FROM_SOURCE = import.meta.url.endsWith('.ts');

/** Where the build puts the `.wasm` files, below the bundle. */
function wasmFile(name: GrammarName | 'web-tree-sitter'): string {
  if (!FROM_SOURCE) return fileURLToPath(new URL(`./grammars/${name}.wasm`, import.meta.url));
  const package_ = name === 'web-tree-sitter' ? name : GRAMMAR_PACKAGES[name];
  return createRequire(import.meta.url).resolve(`${package_}/${name}.wasm`);
}

let runtime: Promise<typeof TreeSitter> | null = null;
const loaded = new Map<GrammarName, Promise<TreeSitter.Language>>();

/** The parser's runtime, loaded on first use: it takes some 40 ms. */
export function loadRuntime(): Promise<typeof TreeSitter> {
  runtime ??= (async () => {
    const module = await import('web-tree-sitter');
    await module.Parser.init({ locateFile: () => wasmFile('web-tree-sitter') });
    return module;
  })();
  return runtime;
}

/** A grammar, loaded once per process. Rejects where its file is missing from the installation. */
export function loadGrammar(name: GrammarName): Promise<TreeSitter.Language> {
  let grammar = loaded.get(name);
  if (grammar === undefined) {
    grammar = loadRuntime().then(({ Language }) => Language.load(wasmFile(name)));
    loaded.set(name, grammar);
  }
  return grammar;
}

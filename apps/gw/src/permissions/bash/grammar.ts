import type { Parser } from 'web-tree-sitter';
import { loadGrammar, loadRuntime } from '../../grammars/grammars.ts';

let loading: Promise<Parser> | undefined;

/** The parser of Bash lines, loaded on first use. */
export function bashParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parser> {
  // Optimizing the grammar's one large function takes 2.5 s of processor time, and the end of the process waits for it.
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  for (const flag of ['--no-wasm-dynamic-tiering', '--no-wasm-tier-up']) setFlagsFromString(flag);
  const { Parser: BashParser } = await loadRuntime();
  const parser = new BashParser();
  parser.setLanguage(await loadGrammar('tree-sitter-bash'));
  return parser;
}

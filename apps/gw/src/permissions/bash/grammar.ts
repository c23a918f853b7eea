import type { Parser } from 'web-tree-sitter';
import { loadGrammar, loadRuntime } from '../../grammars/grammars.ts';

let loading: Promise<Parser> | undefined;

/** The parser of Bash lines, loaded on first use. */
export function bashParser(): Promise<Parser> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Parser> {
  const { Parser: BashParser } = await loadRuntime();
  const parser = new BashParser();
  parser.setLanguage(await loadGrammar('tree-sitter-bash'));
  return parser;
}

import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { ImportFact } from '../facts/facts.ts';
import { type Language, unquote } from '../facts/language.ts';
import { within } from '../facts/project-index.ts';
import { resolveNames } from './by-name.ts';

export const php: Language = {
  id: 'php',
  extensions: ['.php'],
  grammar: 'tree-sitter-php',
  resolvedByUse: true,
  namespaced: true,
  query: `
    (namespace_use_declaration) @import
    [(require_expression) (require_once_expression) (include_expression) (include_once_expression)] @import
    (namespace_definition name: (_) @namespace)
    (program (_ name: (name) @name) @symbol)
    (namespace_definition body: (_ (_ name: (name) @name) @symbol))
  `,
  imports,
  *resolve(path, facts, project) {
    for (const { from, kind } of facts.imports) {
      if (kind !== 'relative') continue;
      const bases = [posix.dirname(path), '.'].map((base) => within(base, from.replace(/^\//, '')));
      const file = bases.find((base) => project.has(base));
      if (file !== undefined) yield file;
    }
    yield* resolveNames(path, facts, project, '\\', ['php']);
  },
};

function imports(node: Node): readonly ImportFact[] {
  if (node.type !== 'namespace_use_declaration') {
    const string = node.descendantsOfType(['string', 'encapsed_string']).at(-1);
    return string ? [{ from: unquote(string.text), names: [], kind: 'relative' }] : [];
  }
  const written = node.text
    .replaceAll(/\/\*[\s\S]*?\*\/|(?:\/\/|#)[^\n]*/g, '')
    .replace(/^use\s+(function\s+|const\s+)?/, '')
    .replaceAll(';', '');
  const group = /^([^{]*)\{([\s\S]*)\}/.exec(written);
  const [head, inner] = group ? [group[1] ?? '', group[2] ?? ''] : ['', written];
  return inner.split(',').flatMap((part) => {
    const name = part
      .replace(/\s+as\s+\w+/, '')
      .replaceAll(/\b(function|const)\s/g, '')
      .replaceAll(/\s/g, '');
    return name === ''
      ? []
      : [{ from: `${head.trim()}${name}`.replace(/^\\/, ''), names: [], kind: 'import' as const }];
  });
}

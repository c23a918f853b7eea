import type { Node } from 'web-tree-sitter';
import type { ImportFact } from '../facts/facts.ts';
import type { Language } from '../facts/language.ts';
import { resolveNames } from './by-name.ts';

export const java: Language = {
  id: 'java',
  extensions: ['.java'],
  grammar: 'tree-sitter-java',
  resolvedByUse: true,
  namespaced: true,
  query: `
    (import_declaration) @import
    (package_declaration (_) @namespace)
    (program (_ name: (_) @name) @symbol)
  `,
  imports,
  resolve: (path, facts, project) => resolveNames(path, facts, project, '.', ['java', 'kotlin']),
};

/** `import static org.acme.Text.*;` in Java, `import org.acme.Text as T` in Kotlin. */
export function imports(node: Node): readonly ImportFact[] {
  const written = node.text
    .replace(/^import\s+(static\s+)?/, '')
    .replace(/\s+as\s+\w+/, '')
    .replaceAll(/[\s;`]/g, '');
  const whole = written.endsWith('.*');
  return [{ from: whole ? written.slice(0, -2) : written, names: [], kind: whole ? 'wildcard' : 'import' }];
}

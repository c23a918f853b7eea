import type { Language } from '../facts/language.ts';
import { resolveNames } from './by-name.ts';
import { imports } from './java.ts';

export const kotlin: Language = {
  id: 'kotlin',
  extensions: ['.kt', '.kts'],
  grammar: 'tree-sitter-kotlin',
  resolvedByUse: true,
  namespaced: true,
  query: `
    (import) @import
    (package_header (qualified_identifier) @namespace)
    (source_file (_ name: (_) @name) @symbol)
    (source_file (type_alias type: (_) @name) @symbol)
    (source_file (property_declaration (variable_declaration (identifier) @name)) @symbol)
  `,
  imports,
  resolve: (path, facts, project) => resolveNames(path, facts, project, '.', ['kotlin', 'java']),
};

import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { FileFacts, ImportFact } from '../facts/facts.ts';
import type { Language } from '../facts/language.ts';
import { type ProjectIndex, within } from '../facts/project-index.ts';

const QUERY = `
  (preproc_include path: (_) @import)
  (function_definition declarator: (function_declarator declarator: (_) @name)) @symbol
  (function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @symbol
  (struct_specifier name: (_) @name body: (_)) @symbol
  (union_specifier name: (_) @name body: (_)) @symbol
  (enum_specifier name: (_) @name body: (_)) @symbol
  (type_definition declarator: (type_identifier) @name) @symbol
  (preproc_def name: (_) @name) @symbol
  (preproc_function_def name: (_) @name) @symbol
`;
const CPP = `
  (class_specifier name: (_) @name body: (_)) @symbol
  (alias_declaration name: (_) @name) @symbol
  (concept_definition name: (_) @name) @symbol
`;

function imports(node: Node): readonly ImportFact[] {
  const from = node.text.replaceAll(/^["<]|[">]$/g, '');
  return [{ from, names: [], kind: node.type === 'system_lib_string' ? 'system' : 'relative' }];
}

function* resolve(path: string, facts: FileFacts, project: ProjectIndex): Iterable<string> {
  for (const { from, kind } of facts.imports) {
    const beside = within(posix.dirname(path), from);
    const target = kind === 'relative' && project.has(beside) ? beside : searchHeader(project, path, from);
    if (target !== null) yield target;
  }
}

/**
 * Include paths are known to the compiler alone: an include is searched as `<directory>/<path>` and
 * `<directory>/include/<path>` upwards from the file, and below `src` of the project.
 */
function searchHeader(project: ProjectIndex, path: string, from: string): string | null {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    for (const root of [at, within(at, 'include'), within(at, 'src')]) {
      const candidate = within(root, from);
      if (project.has(candidate)) return candidate;
    }
    if (at === '.') return null;
  }
}

export const c: Language = {
  id: 'c',
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c',
  query: QUERY,
  imports,
  resolve,
};
export const cpp: Language = {
  id: 'cpp',
  extensions: ['.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.ipp', '.inl'],
  grammar: 'tree-sitter-cpp',
  query: QUERY + CPP,
  imports,
  resolve,
};

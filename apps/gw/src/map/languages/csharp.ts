import type { Node } from 'web-tree-sitter';
import type { FileFacts, ImportFact } from '../facts/facts.ts';
import type { Language } from '../facts/language.ts';
import { resolveNames } from './by-name.ts';

export const csharp: Language = {
  id: 'csharp',
  extensions: ['.cs'],
  grammar: 'tree-sitter-c_sharp',
  resolvedByUse: true,
  namespaced: true,
  query: `
    (using_directive) @import
    (namespace_declaration name: (_) @namespace)
    (file_scoped_namespace_declaration name: (_) @namespace)
    (compilation_unit [(class_declaration name: (_) @name) (struct_declaration name: (_) @name) (record_declaration name: (_) @name)
      (interface_declaration name: (_) @name) (enum_declaration name: (_) @name) (delegate_declaration name: (_) @name)] @symbol)
    (namespace_declaration body: (_ [(class_declaration name: (_) @name) (struct_declaration name: (_) @name) (record_declaration name: (_) @name)
      (interface_declaration name: (_) @name) (enum_declaration name: (_) @name) (delegate_declaration name: (_) @name)] @symbol))
  `,
  imports,
  resolve: (path, facts, project) => resolveNames(path, withParents(facts), project, '.', ['csharp']),
};

/** `using Acme.Cart;` opens a namespace; `using static Acme.Text;` and `using T = Acme.Text;` name a type. */
function imports(node: Node): readonly ImportFact[] {
  const written = node.text
    .replace(/^global\s+/, '')
    .replace(/^using\s+/, '')
    .replaceAll(';', '')
    .trim();
  const named = /^(?:static\s+|unsafe\s+|\w+\s*=\s*)/.exec(written)?.[0] ?? '';
  const from = written
    .slice(named.length)
    .replace(/^global::/, '')
    .replaceAll(/\s/g, '');
  return [{ from, names: [], kind: named === '' ? 'wildcard' : 'import' }];
}

/** Code in `Acme.Cart.Tax` sees the types of `Acme.Cart`, `Acme` and of no namespace without an import. */
function withParents(facts: FileFacts): FileFacts {
  const all = facts.namespaces.flatMap((namespace) => {
    const parts = namespace.split('.');
    return parts.map((_, at) => parts.slice(0, at + 1).join('.'));
  });
  return { ...facts, namespaces: [...new Set(['', ...all])] };
}

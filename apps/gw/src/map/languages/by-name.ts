import type { Node } from 'web-tree-sitter';
import type { FileFacts, ImportFact, Language, ProjectIndex } from './project-index.ts';

/**
 * Resolution for languages that import names, not files: the file is the one that declares the name in the namespace. Whole
 * namespaces (`java.util.*`, `using Acme.Cart;`, the file's own) resolve to those of their files that declare a used name.
 */
export function* resolveNames(
  path: string,
  facts: FileFacts,
  project: ProjectIndex,
  separator: '.' | '\\',
  languages: readonly string[],
): Iterable<string> {
  const identifiers = new Set(facts.identifiers);
  const targets = new Set<string>();
  for (const statement of facts.imports) {
    for (const file of resolveName(statement, project, separator, languages, identifiers)) targets.add(file);
  }
  for (const own of facts.namespaces) {
    for (const file of findUses(own, project, languages, identifiers)) targets.add(file);
  }
  targets.delete(path);
  yield* targets;
}

function* resolveName(
  { from, kind }: ImportFact,
  project: ProjectIndex,
  separator: string,
  languages: readonly string[],
  identifiers: ReadonlySet<string>,
): Iterable<string> {
  if (kind === 'wildcard' && filesOf(from, project, languages).length > 0) {
    yield* findUses(from, project, languages, identifiers);
    return;
  }
  // What follows the type are its members: `import static org.acme.Text.trim`. All of them are taken by `org.acme.Text.*`.
  const parts = from.split(separator);
  for (let length = parts.length - 1; length > 0; length--) {
    const [namespace, name = ''] = [parts.slice(0, length).join(separator), parts[length]];
    const files = filesOf(namespace, project, languages).filter((file) => declares(project, file, name));
    yield* files;
    if (files.length > 0) return;
  }
}

function findUses(
  namespace: string,
  project: ProjectIndex,
  languages: readonly string[],
  identifiers: ReadonlySet<string>,
): readonly string[] {
  return filesOf(namespace, project, languages).filter((file) =>
    project.facts(file)?.symbols.some(({ name }) => identifiers.has(name)),
  );
}

function filesOf(namespace: string, project: ProjectIndex, languages: readonly string[]): readonly string[] {
  return languages.flatMap((language) => project.inNamespace(language, namespace));
}

function declares(project: ProjectIndex, file: string, name: string): boolean {
  return project.facts(file)?.symbols.some((symbol) => symbol.name === name) ?? false;
}

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
function imports(node: Node): readonly ImportFact[] {
  const written = node.text
    .replace(/^import\s+(static\s+)?/, '')
    .replace(/\s+as\s+\w+/, '')
    .replaceAll(/[\s;`]/g, '');
  const whole = written.endsWith('.*');
  return [{ from: whole ? written.slice(0, -2) : written, names: [], kind: whole ? 'wildcard' : 'import' }];
}

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

import type { FileFacts, ImportFact } from '../facts/facts.ts';
import type { ProjectIndex } from '../facts/project-index.ts';

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

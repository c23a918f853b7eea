import { posix } from 'node:path';
import type { FileFacts } from '../facts/facts.ts';
import { type Language, plainImport, unquote } from '../facts/language.ts';
import { type ProjectIndex, within } from '../facts/project-index.ts';

export const go: Language = {
  id: 'go',
  extensions: ['.go'],
  grammar: 'tree-sitter-go',
  resolvedByUse: true,
  query: `
    (import_spec path: (_) @import)
    (source_file (function_declaration name: (_) @name) @symbol)
    (source_file (method_declaration name: (_) @name) @symbol)
    (source_file (type_declaration [(type_spec name: (_) @name) (type_alias name: (_) @name)] @symbol))
    (source_file (const_declaration (const_spec name: (identifier) @name) @symbol))
    (source_file (var_declaration [(var_spec name: (_) @name) @symbol (var_spec_list (var_spec name: (_) @name) @symbol)]))
  `,
  imports: (node) => [plainImport(unquote(node.text))],
  *resolve(path, facts, project) {
    for (const { from } of facts.imports) {
      const directory = directoryOf(project, from);
      if (directory !== null) yield* findUsed(project, facts, directory, true);
    }
    for (const other of findUsed(project, facts, posix.dirname(path), false)) if (other !== path) yield other;
  },
};

/** The directory of a package of this repository; null for others. The longest module path that fits is the one. */
function directoryOf(project: ProjectIndex, from: string): string | null {
  const modules = project.once('go modules', () =>
    project
      .manifests('go.mod')
      .flatMap((path) => {
        const name = /^module\s+"?([^\s"]+)/m.exec(project.manifest(path) ?? '')?.[1];
        return name === undefined ? [] : [{ name, directory: posix.dirname(path) }];
      })
      .sort((one, other) => other.name.length - one.name.length),
  );
  const module = modules.find(({ name }) => from === name || from.startsWith(`${name}/`));
  return module === undefined ? null : within(module.directory, from.slice(module.name.length + 1) || '.');
}

/** The files of a package that declare what a file uses; of an imported one at least its first. */
function findUsed(project: ProjectIndex, facts: FileFacts, directory: string, imported: boolean): readonly string[] {
  // Not the identifiers of the file: its package clause names the package, which may be called as a function is.
  const identifiers = new Set(facts.symbols.flatMap(({ uses }) => uses.map((at) => facts.identifiers[at] ?? '')));
  const files = project
    .filesIn(directory)
    .filter((path) => path.endsWith('.go') && (imported ? !path.endsWith('_test.go') : true));
  const declaring = files.filter((path) =>
    project
      .facts(path)
      ?.symbols.some(
        ({ name, kind }) => kind !== 'method' && (!imported || /^\p{Lu}/u.test(name)) && identifiers.has(name),
      ),
  );
  return declaring.length > 0 || !imported ? declaring : files.slice(0, 1);
}

import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { ImportFact } from '../facts/facts.ts';
import { type Language, unquote } from '../facts/language.ts';
import { type ProjectIndex, within } from '../facts/project-index.ts';

export const ruby: Language = {
  id: 'ruby',
  extensions: ['.rb', '.rake'],
  grammar: 'tree-sitter-ruby',
  resolvedByUse: true,
  query: `
    (call method: (identifier) @_m arguments: (argument_list (string)) (#match? @_m "^(require|require_relative|load|autoload)$")) @import
    (program [(class name: (_) @name) (module name: (_) @name) (method name: (_) @name)] @symbol)
    (module body: (_ [(class name: (_) @name) (module name: (_) @name)] @symbol))
  `,
  imports,
  *resolve(path, facts, project) {
    for (const { from, kind } of facts.imports) {
      const roots = kind === 'relative' ? [posix.dirname(path)] : loadPaths(project);
      const candidates = roots.flatMap((root) => [within(root, from), within(root, `${from}.rb`)]);
      const file = candidates.find((candidate) => project.has(candidate));
      if (file !== undefined) yield file;
    }
    // Constants that a loader finds by their name: resolved if exactly one file declares them.
    for (const name of facts.identifiers) {
      if (!/^\p{Lu}/u.test(name)) continue;
      const files = project.declaring('ruby', name);
      const file = files.length === 1 ? files[0] : undefined;
      if (file !== undefined && file !== path) yield file;
    }
  },
};

function imports(node: Node): readonly ImportFact[] {
  const string = node.descendantsOfType('string').at(-1);
  if (!string) return [];
  const relative = node.childForFieldName('method')?.text === 'require_relative';
  return [{ from: unquote(string.text), names: [], kind: relative ? 'relative' : 'import' }];
}

function loadPaths(project: ProjectIndex): readonly string[] {
  return project.once('ruby load paths', () => {
    const homes = ['.', ...project.manifests('Gemfile').map((path) => posix.dirname(path))];
    return [...new Set(homes)].flatMap((home) => [within(home, 'lib'), home, within(home, 'app')]);
  });
}

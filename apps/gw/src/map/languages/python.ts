import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import { type ImportFact, type Language, type ProjectIndex, plainImport, within } from './project-index.ts';

/** Manifests whose directory, or its `src`, is on Python's path. */
const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg'];

export const python: Language = {
  id: 'python',
  extensions: ['.py', '.pyi'],
  grammar: 'tree-sitter-python',
  query: `
    (import_statement) @import
    (import_from_statement) @import
    (module [(function_definition name: (_) @name) (class_definition name: (_) @name)] @symbol)
    (module (decorated_definition definition: (_ name: (_) @name)) @symbol)
    (module (expression_statement (assignment left: (identifier) @name)) @symbol)
  `,
  imports,
  *resolve(path, facts, project) {
    for (const { from, names } of facts.imports) {
      const dots = /^\.*/.exec(from)?.[0].length ?? 0;
      const module = from.slice(dots).split('.').filter(Boolean);
      const roots = dots > 0 ? climb(path, dots) : rootsOf(project, path);
      for (const root of roots) {
        const found = [...resolveModule(project, root, module, names)];
        yield* found;
        if (found.length > 0) break;
      }
    }
  },
};

function imports(node: Node): readonly ImportFact[] {
  const names = node
    .childrenForFieldName('name')
    .flatMap((name) => (name?.type === 'aliased_import' ? name.childForFieldName('name') : name) ?? [])
    .map((name) => name.text.replaceAll(/\s/g, ''));
  const from = node.childForFieldName('module_name');
  return from ? [plainImport(from.text.replaceAll(/\s/g, ''), names)] : names.map((name) => plainImport(name));
}

/** `from package import name` takes a module of the package where one has that name, else the package itself. */
function* resolveModule(
  project: ProjectIndex,
  root: string,
  module: readonly string[],
  names: readonly string[],
): Iterable<string> {
  const at = within(root, module.join('/') || '.');
  const self = moduleAt(project, at);
  const inside = names.map((name) => moduleAt(project, within(at, name.replaceAll('.', '/'))));
  yield* inside.filter((file) => file !== null);
  if (self !== null && (names.length === 0 || inside.includes(null))) yield self;
}

function moduleAt(project: ProjectIndex, path: string): string | null {
  const candidates = [`${path}/__init__.py`, `${path}.py`, `${path}/__init__.pyi`, `${path}.pyi`];
  return candidates.find((candidate) => project.has(candidate)) ?? null;
}

/** The package that so many dots mean; none above the project. */
function climb(path: string, dots: number): readonly string[] {
  const parts = posix.dirname(path).split('/');
  const above = parts.length - (dots - 1);
  if (above > 0) return [parts.slice(0, above).join('/')];
  return above === 0 && parts[0] !== '.' ? ['.'] : [];
}

/** Directories on the path of an absolute import: the distributions' own, the project's, and that of the script. */
function rootsOf(project: ProjectIndex, path: string): readonly string[] {
  const shared = project.once('python roots', () => {
    const distributions = MANIFESTS.flatMap((name) => project.manifests(name)).map((file) => posix.dirname(file));
    return [...new Set(['.', ...distributions])].flatMap((at) => [at, within(at, 'src')]);
  });
  let package_ = posix.dirname(path);
  while (package_ !== '.' && project.has(`${package_}/__init__.py`)) package_ = posix.dirname(package_);
  return [...new Set([package_, ...shared, posix.dirname(path)])];
}

import { posix } from 'node:path';
import { extname } from 'node:path/posix';
import type { Node } from 'web-tree-sitter';
import { javascript, tsx, typescript } from './ecmascript.ts';
import {
  type FileFacts,
  type ImportFact,
  type Language,
  type ProjectIndex,
  plainImport,
  unquote,
  within,
} from './project-index.ts';
import { python } from './python.ts';
import { rust } from './rust.ts';

const java: Language = {
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
  imports: namedImports,
  resolve: (path, facts, project) => resolveNames(path, facts, project, '.', ['java', 'kotlin']),
};

const kotlin: Language = {
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
  imports: namedImports,
  resolve: (path, facts, project) => resolveNames(path, facts, project, '.', ['kotlin', 'java']),
};

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

function cImports(node: Node): readonly ImportFact[] {
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

const c: Language = {
  id: 'c',
  extensions: ['.c', '.h'],
  grammar: 'tree-sitter-c',
  query: QUERY,
  imports: cImports,
  resolve,
};
const cpp: Language = {
  id: 'cpp',
  extensions: ['.cc', '.cpp', '.cxx', '.hh', '.hpp', '.hxx', '.ipp', '.inl'],
  grammar: 'tree-sitter-cpp',
  query: QUERY + CPP,
  imports: cImports,
  resolve,
};

const php: Language = {
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
  imports: phpImports,
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

function phpImports(node: Node): readonly ImportFact[] {
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

const ruby: Language = {
  id: 'ruby',
  extensions: ['.rb', '.rake'],
  grammar: 'tree-sitter-ruby',
  resolvedByUse: true,
  query: `
    (call method: (identifier) @_m arguments: (argument_list (string)) (#match? @_m "^(require|require_relative|load|autoload)$")) @import
    (program [(class name: (_) @name) (module name: (_) @name) (method name: (_) @name)] @symbol)
    (module body: (_ [(class name: (_) @name) (module name: (_) @name)] @symbol))
  `,
  imports: rubyImports,
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

function rubyImports(node: Node): readonly ImportFact[] {
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

const go: Language = {
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

const csharp: Language = {
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

export const LANGUAGES: readonly Language[] = [
  typescript,
  tsx,
  javascript,
  python,
  go,
  rust,
  java,
  kotlin,
  c,
  cpp,
  csharp,
  ruby,
  php,
];

const BY_EXTENSION = new Map(LANGUAGES.flatMap((language) => language.extensions.map((ending) => [ending, language])));
const BY_ID = new Map(LANGUAGES.map((language) => [language.id, language]));

/** The language of a file by its ending; undefined for files that the map leaves out. */
export function languageOf(path: string): Language | undefined {
  return BY_EXTENSION.get(extname(path));
}

export function languageById(id: string): Language | undefined {
  return BY_ID.get(id);
}

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

/**
 * Resolution for languages that import names, not files: the file is the one that declares the name in the namespace. Whole
 * namespaces (`java.util.*`, `using Acme.Cart;`, the file's own) resolve to those of their files that declare a used name.
 */
function* resolveNames(
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

/** `import static org.acme.Text.*;` in Java, `import org.acme.Text as T` in Kotlin. */
function namedImports(node: Node): readonly ImportFact[] {
  const written = node.text
    .replace(/^import\s+(static\s+)?/, '')
    .replace(/\s+as\s+\w+/, '')
    .replaceAll(/[\s;`]/g, '');
  const whole = written.endsWith('.*');
  return [{ from: whole ? written.slice(0, -2) : written, names: [], kind: whole ? 'wildcard' : 'import' }];
}

import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import { parse as parseJsonc } from 'yaml';
import type { GrammarName } from '../../process/grammars.ts';
import {
  type FileFacts,
  type ImportFact,
  type Language,
  nearestWith,
  type ProjectIndex,
  unquote,
  within,
} from './project-index.ts';

interface Aliases {
  /** Directory that `baseUrl` names; null without one. */
  readonly base: string | null;
  readonly paths: Readonly<Record<string, readonly string[]>>;
}

type ResolveFile = (project: ProjectIndex, path: string) => string | null;

const NAMES = ['tsconfig.json', 'jsconfig.json', 'tsconfig.base.json'];
/** Files that extend each other in a circle, or without end. */
const MAX_EXTENDS = 8;

/** The file that `paths` or `baseUrl` of the nearest tsconfig.json means; null where none fits. */
function resolveAlias(project: ProjectIndex, path: string, from: string, file: ResolveFile): string | null {
  for (let at = posix.dirname(path); ; at = posix.dirname(at)) {
    for (const name of NAMES) {
      const found = resolveIn(aliasesOf(project, within(at, name)), project, from, file);
      if (found !== null) return found;
    }
    if (at === '.') return null;
  }
}

function resolveIn(aliases: Aliases | null, project: ProjectIndex, from: string, file: ResolveFile): string | null {
  for (const { value: targets, middle } of fitting(aliases?.paths ?? {}, from)) {
    for (const target of targets) {
      const found = file(project, target.replace('*', middle));
      if (found !== null) return found;
    }
  }
  return aliases?.base == null ? null : file(project, within(aliases.base, from));
}

function aliasesOf(project: ProjectIndex, path: string, depth = 0): Aliases | null {
  const text = project.manifest(path);
  if (text === undefined || depth > MAX_EXTENDS) return null;
  return project.once(`aliases ${path}`, () => {
    const directory = posix.dirname(path);
    const { compilerOptions, extends: parents } = configurationOf(text);
    const { baseUrl, paths } = isRecord(compilerOptions) ? compilerOptions : {};
    const inherited = textsIn(parents).reduce<Aliases | null>((last, parent) => {
      const there = within(directory, parent.endsWith('.json') ? parent : `${parent}.json`);
      return parent.startsWith('.') ? (aliasesOf(project, there, depth + 1) ?? last) : last;
    }, null);
    const base = typeof baseUrl === 'string' ? within(directory, baseUrl) : null;
    const own = Object.entries(isRecord(paths) ? paths : {}).map(([pattern, targets]) => [
      pattern,
      textsIn(targets).map((target) => within(base ?? directory, target)),
    ]);
    return {
      base: base ?? inherited?.base ?? null,
      paths: own.length > 0 ? (Object.fromEntries(own) as Aliases['paths']) : (inherited?.paths ?? {}),
    };
  });
}

/** The texts of a text or a list; what else is there is left out. */
function textsIn(value: unknown): readonly string[] {
  return [value].flat().filter((each) => typeof each === 'string');
}

/** tsconfig.json allows comments and trailing commas; a YAML parser reads it once comments are removed. */
function configurationOf(text: string): Readonly<Record<string, unknown>> {
  const bare = text.replaceAll(
    /("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
    (_, string: string | undefined) => string ?? '',
  );
  try {
    const value: unknown = parseJsonc(bare.replaceAll('\t', ' '));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

const COMMON = `
  (import_statement source: (string)) @import
  (export_statement source: (string)) @import
  (call_expression function: (import) arguments: [(arguments . (string)) (arguments . (comment) . (string))]) @import
  (call_expression function: (identifier) @_f arguments: [(arguments . (string)) (arguments . (comment) . (string))] (#eq? @_f "require")) @import
  (program (_ name: (_) @name) @symbol)
  (program (export_statement declaration: (_ name: (_) @name) @symbol))
  (program (_ (variable_declarator name: (identifier) @name) @symbol))
  (program (export_statement declaration: (_ (variable_declarator name: (identifier) @name) @symbol)))
`;
const TYPES = `
  (import_statement (import_require_clause source: (string))) @import
  (program (expression_statement (internal_module name: (_) @name) @symbol))
  (ambient_declaration (_ name: [(identifier) (type_identifier)] @name) @symbol)
  (ambient_declaration (_ (variable_declarator name: (identifier) @name) @symbol))
`;

/** Endings in the order in which an import without one is tried. */
const ENDINGS = ['.ts', '.tsx', '.mts', '.cts', '.d.ts', '.js', '.jsx', '.mjs', '.cjs'];
/** TypeScript writes the ending that the compiled file will have. */
const WRITTEN_FOR: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

function imports(node: Node): readonly ImportFact[] {
  const source = node.childForFieldName('source') ?? node.descendantsOfType('string')[0];
  if (!source) return [];
  const names = node
    .descendantsOfType(['import_specifier', 'export_specifier'])
    .flatMap((specifier) => specifier?.childForFieldName('name')?.text ?? []);
  return [{ from: unquote(source.text), names, kind: 'import' }];
}

function* resolve(path: string, facts: FileFacts, project: ProjectIndex): Iterable<string> {
  for (const { from } of facts.imports) {
    if (from.startsWith('.')) {
      const target = resolveFile(project, posix.normalize(posix.join(posix.dirname(path), from)));
      if (target !== null) yield target;
      continue;
    }
    const alias = resolveAlias(project, path, from, resolveFile);
    if (alias !== null) yield alias;
    else yield* resolvePackage(project, path, from, resolveFile);
  }
}

/** The file that a path without an ending, with that of the compiled file, or of a directory means; null where none is there. */
function resolveFile(project: ProjectIndex, path: string): string | null {
  const clean = path.replace(/[?#].*$/, '');
  if (project.has(clean)) return clean;
  const ending = posix.extname(clean);
  for (const other of WRITTEN_FOR[ending] ?? []) {
    const written = clean.slice(0, -ending.length) + other;
    if (project.has(written)) return written;
  }
  for (const base of [clean, posix.join(clean, 'index')]) {
    for (const candidate of ENDINGS) if (project.has(base + candidate)) return base + candidate;
  }
  return null;
}

const language = (id: string, extensions: readonly string[], grammar: GrammarName, query: string): Language => ({
  id,
  extensions,
  grammar,
  query,
  deep: /\b(import|require)\s*\(/,
  imports,
  resolve,
});

export const typescript = language('typescript', ['.ts', '.mts', '.cts'], 'tree-sitter-typescript', COMMON + TYPES);
export const tsx = language('tsx', ['.tsx'], 'tree-sitter-tsx', COMMON + TYPES);
export const javascript = language('javascript', ['.js', '.mjs', '.cjs', '.jsx'], 'tree-sitter-javascript', COMMON);

interface Manifest {
  readonly name?: unknown;
  readonly main?: unknown;
  readonly module?: unknown;
  readonly types?: unknown;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

/**
 * Files of a package of this repository (`@acme/cart`, `@acme/cart/total`), or of its own `#imports`: one for each condition,
 * because the condition is known only at run time. Empty for packages of others.
 */
function resolvePackage(project: ProjectIndex, path: string, from: string, file: ResolveFile): readonly string[] {
  const { manifests, byName } = packagesOf(project);
  if (from.startsWith('#')) {
    const directory = nearestWith(project, path, ['package.json']);
    return directory === null ? [] : targetsOf(manifests.get(directory)?.imports, from, directory, project, file);
  }
  const [first = '', second = ''] = from.split('/', 2);
  const name = first.startsWith('@') ? `${first}/${second}` : first;
  const directory = byName.get(name);
  if (directory === undefined) return [];
  const { exports: exported, types, module, main } = manifests.get(directory) ?? {};
  const rest = from.slice(name.length);
  const targets = targetsOf(rootOf(exported), `.${rest}`, directory, project, file);
  if (targets.length > 0) return targets;
  const entries = rest === '' ? [types, module, main, 'index', 'src/index', 'src/main', 'lib/index'] : [rest.slice(1)];
  for (const entry of entries) {
    const found = typeof entry === 'string' ? file(project, within(directory, entry)) : null;
    if (found !== null) return [found];
  }
  return [];
}

/** An `exports` that is no map of paths means the package itself. */
function rootOf(exported: unknown): unknown {
  const paths = isRecord(exported) && Object.keys(exported).some((key) => key.startsWith('.'));
  return paths ? exported : { '.': exported };
}

/** Existing files that the most exact key of `exports` or `imports` with any resolves to. */
function targetsOf(
  map: unknown,
  wanted: string,
  directory: string,
  project: ProjectIndex,
  file: ResolveFile,
): readonly string[] {
  if (!isRecord(map)) return [];
  for (const { value, middle } of fitting(map, wanted)) {
    const files = [...conditions(value)].map((target) =>
      file(project, within(directory, target.replaceAll('*', middle))),
    );
    const found = [...new Set(files.filter((each) => each !== null))];
    if (found.length > 0) return found;
  }
  return [];
}

/** Every file that a condition of `exports` may resolve to. */
function* conditions(value: unknown): Iterable<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const each of value) yield* conditions(each);
  else if (isRecord(value)) for (const each of Object.values(value)) yield* conditions(each);
}

function packagesOf(project: ProjectIndex) {
  return project.once('ecmascript packages', () => {
    const manifests = new Map<string, Manifest>();
    const byName = new Map<string, string>();
    for (const path of project.manifests('package.json')) {
      const manifest = parseManifest(project.manifest(path));
      manifests.set(posix.dirname(path), manifest);
      if (typeof manifest.name === 'string') byName.set(manifest.name, posix.dirname(path));
    }
    return { manifests, byName };
  });
}

function parseManifest(text: string | undefined): Manifest {
  try {
    const value: unknown = JSON.parse(text ?? '{}');
    return isRecord(value) ? value : {};
  } catch {
    return {}; // a manifest that does not parse names nothing
  }
}

/**
 * What the keys of `paths`, `exports` or `imports` that fit a name map it to, the most exact key first.
 * `middle` is what the key's star stands for.
 */
function fitting<T>(
  map: Readonly<Record<string, T>>,
  name: string,
): readonly { readonly value: T; readonly middle: string }[] {
  return Object.entries(map)
    .flatMap(([key, value]) => {
      const star = key.indexOf('*');
      if (star < 0) return key === name ? [{ value, middle: '', exactness: Number.POSITIVE_INFINITY }] : [];
      const tail = key.slice(star + 1);
      const fits = name.length >= star + tail.length && name.startsWith(key.slice(0, star)) && name.endsWith(tail);
      return fits ? [{ value, middle: name.slice(star, name.length - tail.length), exactness: star }] : [];
    })
    .toSorted((one, other) => other.exactness - one.exactness);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

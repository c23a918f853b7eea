import { posix } from 'node:path';
import type { Node } from 'web-tree-sitter';
import {
  type ImportFact,
  type Language,
  nearestWith,
  type ProjectIndex,
  plainImport,
  within,
} from './project-index.ts';

export const rust: Language = {
  id: 'rust',
  extensions: ['.rs'],
  grammar: 'tree-sitter-rust',
  query: `
    (mod_item name: (identifier) !body) @import
    (use_declaration argument: (_) @import)
    (extern_crate_declaration name: (_) @import)
    (source_file (_ name: (_) @name) @symbol)
    (mod_item body: (declaration_list (_ name: (_) @name) @symbol))
  `,
  imports,
  *resolve(path, facts, project) {
    for (const { from, kind } of facts.imports) {
      const target =
        kind === 'module'
          ? moduleFile(project, moduleDirectory(path), from)
          : kind === 'relative'
            ? within(posix.dirname(path), from)
            : resolveUse(project, path, from.split('::'));
      if (target !== null && target !== path && project.has(target)) yield target;
    }
  },
};

function imports(node: Node): readonly ImportFact[] {
  if (node.type === 'mod_item') {
    const file = pathAttribute(node);
    if (file !== null) return [{ from: file, names: [], kind: 'relative' }];
    return [{ from: node.childForFieldName('name')?.text ?? '', names: [], kind: 'module' }];
  }
  const depth = inlineModules(node);
  return expand(node.text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '').replaceAll(/\s+as\s+\w+|\s/g, '')).map(
    (path) => plainImport(ofFile(path, depth)),
  );
}

/** The file that `#[path = "x.rs"]` before a module names. */
function pathAttribute(node: Node): string | null {
  for (let at = node.previousNamedSibling; at?.type === 'attribute_item'; at = at.previousNamedSibling) {
    const file = /^#\[\s*path\s*=\s*"([^"]+)"\s*\]$/.exec(at.text)?.[1];
    if (file !== undefined) return file;
  }
  return null;
}

/** How many modules with a body in this file are around a node. */
function inlineModules(node: Node): number {
  let depth = 0;
  for (let at = node.parent; at !== null; at = at.parent) if (at.type === 'mod_item') depth += 1;
  return depth;
}

/** A path in modules with a body, as the file itself would write it: there the first `super` is the file's own module. */
function ofFile(path: string, depth: number): string {
  const parts = path.split('::');
  let left = depth;
  while (left > 0 && parts[0] === 'super') {
    parts.shift();
    left -= 1;
  }
  if (left === depth || parts[0] === 'super') return parts.join('::');
  return ['self', ...parts].join('::');
}

/** `a::{b, c::{d, e}}` as `a::b`, `a::c::d`, `a::c::e`. */
export function expand(tree: string): readonly string[] {
  const open = tree.indexOf('{');
  if (open < 0) return [tree.replace(/^::/, '').replace(/::(\*|self)$/, '')];
  const [head, inner] = [tree.slice(0, open), tree.slice(open + 1, tree.lastIndexOf('}'))];
  const parts: string[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= inner.length; at++) {
    const letter = inner[at];
    if (letter === '{') depth++;
    else if (letter === '}') depth--;
    else if ((letter === ',' && depth === 0) || at === inner.length) {
      if (at > from) parts.push(inner.slice(from, at));
      from = at + 1;
    }
  }
  return parts.flatMap((part) => expand(head + part));
}

/** The directory that the submodules of a file are in: its own for `mod.rs`, `lib.rs` and `main.rs`, else one named as the file. */
function moduleDirectory(path: string): string {
  const name = posix.basename(path, '.rs');
  const crateRoot = ['mod', 'lib', 'main'].includes(name) || /(^|\/)(bin|tests|examples|benches)\/[^/]+$/.test(path);
  return crateRoot ? posix.dirname(path) : within(posix.dirname(path), name);
}

function moduleFile(project: ProjectIndex, directory: string, name: string): string | null {
  const plain = name.replace(/^r#/, '');
  return (
    [within(directory, `${plain}.rs`), within(directory, `${plain}/mod.rs`)].find((file) => project.has(file)) ?? null
  );
}

function resolveUse(project: ProjectIndex, path: string, parts: readonly string[]): string | null {
  const [first = '', ...rest] = parts;
  const own = nearestWith(project, path, ['Cargo.toml']) ?? '.';
  if (first === 'crate') return deepest(project, within(own, 'src'), rest, rootFile(project, own));
  if (first === 'self') return deepest(project, moduleDirectory(path), rest, null);
  if (first === 'super') {
    let directory = posix.dirname(moduleDirectory(path));
    let left = rest;
    for (; left[0] === 'super'; left = left.slice(1)) directory = posix.dirname(directory);
    return deepest(project, directory, left, fileOf(project, directory));
  }
  const crate = cratesOf(project).get(first.replaceAll('-', '_'));
  if (crate !== undefined) return deepest(project, within(crate, 'src'), rest, rootFile(project, crate));
  return deepest(project, moduleDirectory(path), parts, null);
}

/** Follows the segments of a path as far as they are files; the remaining segments are items of the last one. */
function deepest(
  project: ProjectIndex,
  directory: string,
  parts: readonly string[],
  start: string | null,
): string | null {
  let [at, found] = [directory, start];
  for (const part of parts) {
    const file = moduleFile(project, at, part);
    if (file === null) break;
    found = file;
    at = within(at, part);
  }
  return found;
}

/** The file of the module that a directory belongs to. */
function fileOf(project: ProjectIndex, directory: string): string | null {
  const candidates = ['mod.rs', 'lib.rs', 'main.rs'].map((name) => within(directory, name));
  return [`${directory}.rs`, ...candidates].find((file) => project.has(file)) ?? null;
}

function rootFile(project: ProjectIndex, crate: string): string | null {
  return [within(crate, 'src/lib.rs'), within(crate, 'src/main.rs')].find((file) => project.has(file)) ?? null;
}

/** Crates of the workspace by the name that code writes. */
function cratesOf(project: ProjectIndex): ReadonlyMap<string, string> {
  return project.once('rust crates', () => {
    const crates = new Map<string, string>();
    for (const path of project.manifests('Cargo.toml')) {
      const text = project.manifest(path) ?? '';
      const section = /^\[package\]([\s\S]*?)(?=^\[|$(?![\s\S]))/m.exec(text)?.[1] ?? '';
      const name = /^\s*name\s*=\s*"([^"]+)"/m.exec(section)?.[1];
      const library = /^\[lib\][\s\S]*?^\s*name\s*=\s*"([^"]+)"/m.exec(text)?.[1];
      for (const each of [name, library])
        if (each !== undefined) crates.set(each.replaceAll('-', '_'), posix.dirname(path));
    }
    return crates;
  });
}

import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Node, Parser, Query, QueryMatch } from 'web-tree-sitter';
import { loadGrammar, loadRuntime } from '../process/grammars.ts';
import { languageOf } from './languages/index.ts';
import type { FileFacts, ImportFact, Language, SymbolFact } from './languages/project-index.ts';

/** Nodes without identifiers of the program in their text; which of them a grammar has differs. */
const SKIPPED = [
  'comment',
  'line_comment',
  'block_comment',
  'doc_comment',
  'multiline_comment',
  'string',
  'string_literal',
  'raw_string_literal',
  'interpreted_string_literal',
  'character_literal',
  'char_literal',
  'verbatim_string_literal',
  'heredoc_body',
  'system_lib_string',
] as const;
/** Declarations whose members count as the file's own. */
const TRANSPARENT = /^(module|mod_item|namespace|internal_module)/;
const IDENTIFIER = /[A-Za-z_$\u0080-\uffff][\w$\u0080-\uffff]*/g;
/** Levels below the root that contain every top-level declaration of a file. */
const SHALLOW = 4;
/** Statements that bind a name without declaring anything. */
const IMPORTING = /^(import|extern_crate)/;
const MAX_NAME = 80;

interface Tools {
  readonly parser: Parser;
  readonly query: Query;
  readonly skipped: Query;
}
const toolsOf = new Map<string, Promise<Tools>>();

/**
 * Reads what a source file imports and declares. Text that does not parse gives what could be read around the fault.
 * @param source the file's text; `language` decides the grammar.
 * @param withUses whether identifiers and the uses of symbols are wanted
 */
export async function extractFacts(language: Language, source: string, withUses: boolean): Promise<FileFacts> {
  const hasUses = withUses || language.resolvedByUse === true;
  let tools = toolsOf.get(language.id);
  if (tools === undefined) {
    tools = createTools(language);
    toolsOf.set(language.id, tools);
  }
  const { parser, query, skipped } = await tools;
  const tree = parser.parse(source);
  if (tree === null)
    return { language: language.id, namespaces: [], imports: [], symbols: [], identifiers: [], hasUses };
  try {
    const imports: ImportFact[] = [];
    const namespaces = new Set<string>();
    const found: { name: string; node: Node }[] = [];
    const options = language.deep?.test(source) === false ? { maxStartDepth: SHALLOW } : {};
    for (const match of query.matches(tree.rootNode, options)) {
      const at = (name: string) => nodeOf(match, name);
      const [importing, namespace, symbol, name] = [at('import'), at('namespace'), at('symbol'), at('name')];
      if (importing !== null) imports.push(...language.imports(importing));
      if (namespace !== null) namespaces.add(qualifiedName(namespace));
      if (symbol !== null && name !== null && !IMPORTING.test(symbol.type))
        found.push({ name: name.text.slice(0, MAX_NAME), node: symbol });
    }
    const words = hasUses ? identifiersOf(blank(source, skipped, tree.rootNode)) : NO_IDENTIFIERS;
    const symbols = outermost(found).map(
      ({ name, node }): SymbolFact => ({
        name,
        kind: node.type.replace(/_(declaration|declarator|definition|item|spec|specifier|statement)$/, ''),
        firstLine: node.startPosition.row + 1,
        lastLine: node.endPosition.row + 1,
        uses: words.between(node.startIndex, node.endIndex),
      }),
    );
    const own = namespaces.size === 0 && language.namespaced ? [''] : [...namespaces];
    return { language: language.id, namespaces: own, imports, symbols, identifiers: words.names, hasUses };
  } finally {
    tree.delete();
  }
}

async function createTools(language: Language): Promise<Tools> {
  const { Parser, Query } = await loadRuntime();
  const grammar = await loadGrammar(language.grammar);
  const parser = new Parser();
  parser.setLanguage(grammar);
  const known = SKIPPED.filter((type) => grammar.idForNodeType(type, true) !== null);
  return {
    parser,
    query: new Query(grammar, language.query),
    skipped: new Query(grammar, `[${known.map((type) => `(${type})`).join(' ')}] @skipped`),
  };
}

function nodeOf({ captures }: QueryMatch, wanted: string): Node | null {
  return captures.find(({ name }) => name === wanted)?.node ?? null;
}

/** The name of a namespace, after those of the namespaces around it. */
function qualifiedName(name: Node): string {
  const parts: string[] = [];
  for (let at = name.parent; at !== null; at = at.parent) {
    if (at.type === name.parent?.type) parts.unshift((at.childForFieldName('name') ?? name).text.replaceAll(/\s/g, ''));
  }
  return parts.join('.');
}

interface Identifiers {
  readonly names: readonly string[];
  between(start: number, end: number): number[];
}
const NO_IDENTIFIERS: Identifiers = { names: [], between: () => [] };

/** Every identifier of a text once, and which of them occur between two positions. */
function identifiersOf(text: string): Identifiers {
  const table = new Map<string, number>();
  const starts: number[] = [];
  const ids: number[] = [];
  IDENTIFIER.lastIndex = 0;
  for (let match = IDENTIFIER.exec(text); match !== null; match = IDENTIFIER.exec(text)) {
    const id = table.get(match[0]) ?? table.size;
    if (id === table.size) table.set(match[0], id);
    starts.push(match.index);
    ids.push(id);
  }
  return {
    names: [...table.keys()],
    between(start, end) {
      let at = lowerBound(starts, start);
      const found = new Set<number>();
      for (; (starts[at] ?? end) < end; at++) found.add(ids[at] ?? 0);
      return [...found];
    },
  };
}

/** The first position of a sorted list whose value is not below the given one. */
function lowerBound(sorted: readonly number[], value: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? value) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The text with blanks for comments and strings; positions stay. */
function blank(source: string, skipped: Query, root: Node): string {
  const parts: string[] = [];
  let from = 0;
  for (const { node } of skipped.captures(root)) {
    if (node.startIndex < from) continue;
    parts.push(source.slice(from, node.startIndex), ' '.repeat(node.endIndex - node.startIndex));
    from = node.endIndex;
  }
  return parts.join('') + source.slice(from);
}

/** Declarations not nested in another one, except in a namespace or module. One may have several names. */
function outermost(found: readonly { name: string; node: Node }[]): readonly { name: string; node: Node }[] {
  const sorted = found.toSorted(
    (one, other) => one.node.startIndex - other.node.startIndex || other.node.endIndex - one.node.endIndex,
  );
  const kept: { name: string; node: Node }[] = [];
  let end = -1;
  for (const each of sorted) {
    if (each.node.startIndex < end && each.node.id !== kept.at(-1)?.node.id) continue;
    kept.push(each);
    if (!TRANSPARENT.test(each.node.type)) end = each.node.endIndex;
  }
  return kept;
}

/** Below this many files a thread costs more than it saves. */
const MIN_FILES_PER_THREAD = 150;
const MAX_THREADS = 8;
const PROGRAM = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './map-worker.js', import.meta.url);

type Read = readonly [path: string, facts: FileFacts];

/** Reads source files, on several threads if there are many. A file deleted meanwhile is left out. */
export async function readFacts(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  const threads = Math.min(availableParallelism(), MAX_THREADS, Math.floor(paths.length / MIN_FILES_PER_THREAD));
  if (threads < 2) return readEach(root, paths, withUses);
  // Dealt out in turn: files of one directory are alike in size and language.
  const shares = Array.from({ length: threads }, (_, share) => paths.filter((_path, at) => at % threads === share));
  return (await Promise.all(shares.map((share) => inThread(root, share, withUses)))).flat();
}

export async function readEach(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  const read: Read[] = [];
  for (const path of paths) {
    const language = languageOf(path);
    const source = fileText(join(root, path));
    if (language !== undefined && source !== null) read.push([path, await extractFacts(language, source, withUses)]);
  }
  return read;
}

function inThread(root: string, paths: readonly string[], withUses: boolean): Promise<readonly Read[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(PROGRAM, { workerData: { root, paths, withUses } });
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.once('exit', (code) => reject(new Error(`A thread that reads source files ended with ${code}.`)));
  });
}

/** At once: a thread has nothing else to do, and waiting for each file costs more than reading it. */
function fileText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null; // deleted meanwhile
  }
}

import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

interface Import {
  readonly from: string;
  readonly to: string;
}

/** Folders, the folders each imports, and one import that shows it. */
type Graph = Map<string, Map<string, Import>>;

const SOURCES = ['packages/*/src/**/*.{ts,tsx}', 'apps/*/src/**/*.{ts,tsx}', 'bench/src/**/*.{ts,tsx}'];
/** Tests may import what they like. */
const TEST = /\.test\.tsx?$|\/testing\//;
const SPECIFIER = /\b(?:from|import)\s*\(?\s*['"]([.#][^'"]*)['"]/g;

/** What a package calls by a name that begins with `#`: a file for each profile. */
function aliasesOf(root: string, file: string): Readonly<Record<string, Readonly<Record<string, string>>>> {
  const [area = '', name = ''] = file.split('/');
  const folder = area === 'bench' ? area : join(area, name);
  const path = join(root, folder, 'package.json');
  const { imports = {} } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  return Object.fromEntries(
    Object.entries<Record<string, string>>(imports).map(([alias, targets]) => [
      alias,
      Object.fromEntries(Object.entries(targets).map(([on, to]) => [on, posix.join(folder, to)])),
    ]),
  );
}

function importsOf(root: string, file: string): readonly Import[] {
  const aliases = aliasesOf(root, file);
  return [...readFileSync(join(root, file), 'utf8').matchAll(SPECIFIER)].flatMap(([, specifier = '']) =>
    specifier.startsWith('#')
      ? Object.values(aliases[specifier] ?? {}).map((to) => ({ from: file, to }))
      : [{ from: file, to: posix.join(dirname(file), specifier) }],
  );
}

/** The two sibling folders with the files, and everything below them; null where one file is beside or above the other. */
function siblings({ from, to }: Import): readonly [string, string] | null {
  const [one, other] = [from.split('/'), to.split('/')];
  const common = one.findIndex((part, index) => part !== other[index]);
  if (common >= one.length - 1 || common >= other.length - 1) return null;
  return [one.slice(0, common + 1).join('/'), other.slice(0, common + 1).join('/')];
}

function graphOf(imports: readonly Import[], foldersOf: (one: Import) => readonly [string, string] | null): Graph {
  const graph: Graph = new Map();
  for (const one of imports) {
    const [from, to] = foldersOf(one) ?? ['', ''];
    if (from === to) continue;
    if (!graph.has(from)) graph.set(from, new Map());
    if (!graph.get(from)?.has(to)) graph.get(from)?.set(to, one);
  }
  return graph;
}

/** The shortest way from a folder back to itself, or null. */
function cycleThrough(graph: Graph, start: string): readonly string[] | null {
  const ways: (readonly string[])[] = [[start]];
  const seen = new Set<string>();
  for (const way of ways) {
    for (const next of graph.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way;
      if (seen.has(next)) continue;
      seen.add(next);
      ways.push([...way, next]);
    }
  }
  return null;
}

function cyclesOf(graph: Graph): string[] {
  const reported = new Set<string>();
  return [...graph.keys()].toSorted().flatMap((start) => {
    if (reported.has(start)) return [];
    const cycle = cycleThrough(graph, start);
    if (cycle === null) return [];
    const steps = cycle.map((from, index) => {
      reported.add(from);
      const shown = graph.get(from)?.get(cycle[index + 1] ?? start);
      return `    ${shown?.from} imports ${shown?.to}`;
    });
    return [[`  ${[...cycle, start].join(' → ')}`, ...steps].join('\n')];
  });
}

/**
 * Folders that import each other, in a cycle of any length. A folder counts twice: once with its own files, once with everything
 * below it.
 */
export function folderCycles(root: string): readonly string[] {
  const files = globSync(SOURCES, { cwd: root, exclude: ['**/node_modules/**'] }).filter((file) => !TEST.test(file));
  const imports = files.flatMap((file) => importsOf(root, file)).filter(({ to }) => existsSync(join(root, to)));
  const cycles = [
    ...cyclesOf(graphOf(imports, ({ from, to }) => [dirname(from), dirname(to)])),
    ...cyclesOf(graphOf(imports, siblings)),
  ];
  return [...new Set(cycles)];
}

if (import.meta.main) {
  const cycles = folderCycles('.');
  if (cycles.length > 0) {
    process.stdout.write(
      `Folders import each other. Move what both need into a folder below them.\n${cycles.join('\n')}\n`,
    );
    process.exitCode = 1;
  }
}

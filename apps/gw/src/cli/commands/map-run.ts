import { join } from 'node:path';
import { legible } from '@gateway/contract/legible';
import { readYaml } from '../../configuration/yaml-text.ts';
import { findProject, type Project } from '../../files/project.ts';
import { readText } from '../../files/reading.ts';
import { type CodeMap, readCodeMap } from '../../map/code-map.ts';
import { type Graph, limit, mermaidOf, neighbourhood, subgraph } from '../../map/graph.ts';
import { cyclesOf, type Layer, nodeAt, violationsOf } from '../../map/levels.ts';
import { askGit, findProgram, withoutFilters } from '../../process/ask-git.ts';
import type { Context } from '../../process/context.ts';
import type { Environment } from '../../process/environment.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import * as s from '../../schema/index.ts';
import { EXIT } from '../command/command.ts';
import type { MapOptions } from './options.ts';

/** Refs that are tried as the main branch if none is named, in this order. */
const MAIN = ['refs/remotes/origin/HEAD', 'origin/main', 'origin/master', 'main', 'master'];

/**
 * Paths that differ from the merge base with a ref: commits of this branch, the work tree, and files git does not track.
 * @param baseRef null takes the main branch. Throws `WrongUsage` where the ref does not exist.
 */
async function findChangedFiles(
  project: Project,
  environment: Environment,
  baseRef: string | null,
): Promise<readonly string[]> {
  const git = await findProgram('git', environment);
  if (!project.repository || git === null) {
    throw new WrongUsage(`--pr needs a git repository${git === null ? ' and the program git' : ''}.`);
  }
  const { directory } = project;
  const variables = await withoutFilters(git, environment, directory);
  if (variables === null) throw new CommandFailed('git config failed. Run it yourself: git config --list');
  const ask = (...args: readonly string[]) => askGit(git, args, environment, { directory, variables });
  const paths = async (...args: readonly string[]): Promise<readonly string[]> => {
    const { code, output } = await ask(...args);
    if (code !== 0) throw new CommandFailed(`git ${args[0]} failed. Run it yourself: git ${args.join(' ')}`);
    return output.split('\0').filter((path) => path !== '');
  };
  const base = await baseCommit(ask, baseRef);
  const plain = ['--no-renames', '--relative', '--no-ext-diff', '--ignore-submodules=dirty'];
  const changed = await paths('diff', '--name-only', '-z', ...plain, base, '--');
  return [...new Set([...changed, ...(await paths('ls-files', '-z', '--others', '--exclude-standard'))])];
}

async function baseCommit(
  ask: (...args: string[]) => Promise<{ code: number | null; output: string }>,
  wanted: string | null,
) {
  for (const ref of wanted === null ? MAIN : [wanted]) {
    const { code } = await ask('rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`);
    if (code !== 0) continue;
    const merge = await ask('merge-base', '--end-of-options', ref, 'HEAD');
    return merge.code === 0 ? merge.output.trim() : ref;
  }
  throw new WrongUsage(
    wanted === null
      ? '--pr: this repository has no main branch to compare with. Name it with --base-ref <ref>.'
      : `--base-ref: there is no commit ${JSON.stringify(wanted)}. Fetch it, or name another ref.`,
  );
}

const LAYERS_FILE = '.gateway/layers.yaml';
const EXAMPLE = 'layers: [{ name: apps, paths: ["apps/**"] }, { name: packages, paths: ["packages/**"] }]';

const SHAPE = s.strictObject({
  layers: s.array(
    s.strictObject({
      name: s.string({ min: 1 }),
      paths: s.array(s.string({ min: 1 }), { min: 1 }),
      imports: s.array(s.string()).optional(),
    }),
    { min: 1 },
  ),
});

/** Reads the layers of a project, from the top down. Throws `WrongUsage` with the position of the fault. */
async function readLayers(project: string): Promise<readonly Layer[]> {
  const read = await readText(join(project, LAYERS_FILE));
  if (read.state === 'absent')
    throw new WrongUsage(`--check-layers: ${LAYERS_FILE} does not exist. Write one: ${EXAMPLE}`);
  if (read.state !== 'read') throw new WrongUsage(`${LAYERS_FILE} cannot be read (${read.state}).`);
  const yaml = readYaml(read.text);
  const [fault] = yaml.faults;
  if (fault !== undefined) throw new WrongUsage(`${LAYERS_FILE}, line ${fault.line}: ${fault.message}`);
  const parsed = SHAPE.check(yaml.data);
  if (!parsed.ok) {
    const [issue] = parsed.issues;
    const line = yaml.placeOf(issue?.path ?? []).line;
    throw new WrongUsage(
      `${LAYERS_FILE}, line ${line}: ${(issue?.path ?? []).join('.') || 'it'}: ${issue?.message ?? ''}`,
    );
  }
  const { layers } = parsed.value;
  const names = new Set(layers.map(({ name }) => name));
  for (const { name, imports = [] } of layers) {
    const unknown = imports.find((each) => !names.has(each));
    if (unknown !== undefined)
      throw new WrongUsage(`${LAYERS_FILE}: layer ${name} imports ${unknown}, which is not a layer.`);
  }
  return layers;
}

/** `gw map`: reads the sources and prints one map, or what is wrong with it. */
export async function runMap(context: Context, options: MapOptions): Promise<number> {
  const { environment, terminal } = context;
  if (environment.workingDirectory === null) throw new CommandFailed('The current directory no longer exists.');
  const project = await findProject(environment.workingDirectory, environment.userId);
  const layers = options.checkLayers ? await readLayers(project.directory) : null;
  const map = await readCodeMap(project, environment, context.now(), options.level === 'symbol');
  if (map.tooLarge.length > 0) {
    terminal.report(`gw map: left out ${formatList(map.tooLarge)}: larger than 1 MiB.\n`);
  }
  if (layers !== null) return printViolations(context, options, violationsOf(layers, map.imports));
  const graph = map.graph(options.level);
  if (options.cycles) return printCycles(context, options, cyclesOf(graph));
  await printMap(context, options, graph, await selectNodes(context, options, project, map, graph));
  return EXIT.done;
}

/** What to show first, and what to mark as changed. */
interface Selection {
  readonly shown: ReadonlySet<string> | null;
  readonly first: ReadonlySet<string>;
  readonly changed: ReadonlySet<string>;
}

async function selectNodes(
  { environment }: Context,
  options: MapOptions,
  project: Project,
  map: CodeMap,
  graph: Graph,
): Promise<Selection> {
  const { focus, pr, depth, level } = options;
  const ids = new Set(graph.nodes.map(({ id }) => id));
  if (focus !== null && !ids.has(focus)) throw new WrongUsage(`--focus: ${unknownNode(focus, options.level, ids)}`);
  const changed = new Set<string>();
  if (pr) {
    for (const path of await findChangedFiles(project, environment, options.baseRef)) {
      if (!map.facts.has(path)) continue;
      if (level !== 'symbol') changed.add(nodeAt(level, path, map.index).id);
      else for (const { name } of map.facts.get(path)?.symbols ?? []) changed.add(`${path}#${name}`);
    }
  }
  const first = focus === null ? changed : new Set([focus]);
  const shown = focus === null && !pr ? null : neighbourhood(graph, first, depth);
  return { shown, first, changed };
}

function unknownNode(focus: string, level: string, ids: ReadonlySet<string>): string {
  const near = [...ids].filter((id) => id.endsWith(focus) || id.includes(focus)).slice(0, 3);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'gw map --format json lists the nodes.';
  return `there is no node ${JSON.stringify(focus)} at level ${level}. ${hint}`;
}

async function printMap({ terminal }: Context, options: MapOptions, whole: Graph, selection: Selection): Promise<void> {
  const { level, format, maxNodes } = options;
  const wanted = selection.shown === null ? whole : subgraph(whole, selection.shown);
  const { graph, omitted } = limit(wanted, maxNodes, selection.first);
  const marked = new Set(graph.nodes.map(({ id }) => id).filter((id) => selection.changed.has(id)));
  const text =
    format === 'json'
      ? `${JSON.stringify({ level, nodes: graph.nodes, edges: graph.edges, changed: [...marked], omitted }, null, 2)}\n`
      : mermaidOf(graph, marked);
  await terminal.write(text);
  if (omitted > 0) {
    terminal.report(
      `gw map: ${omitted} of ${wanted.nodes.length} nodes are left out. --max-nodes ${wanted.nodes.length} shows all.\n`,
    );
  }
  if (wanted.nodes.length === 0) {
    terminal.report(
      `gw map: ${options.pr ? 'no source file is changed' : 'there is no source file of a known language'}.\n`,
    );
  }
}

async function printCycles(
  { terminal }: Context,
  { level, format }: MapOptions,
  cycles: readonly (readonly string[])[],
): Promise<number> {
  if (format === 'json') await terminal.write(`${JSON.stringify({ level, cycles }, null, 2)}\n`);
  else if (cycles.length === 0) await terminal.write(`No import cycles at level ${level}.\n`);
  else await terminal.write(cycles.map((cycle) => `${legible([...cycle, cycle[0]].join(' -> '))}\n`).join(''));
  return cycles.length === 0 ? EXIT.done : EXIT.failed;
}

async function printViolations(
  { terminal }: Context,
  { format }: MapOptions,
  violations: ReturnType<typeof violationsOf>,
): Promise<number> {
  if (format === 'json') await terminal.write(`${JSON.stringify({ violations }, null, 2)}\n`);
  else if (violations.length === 0) await terminal.write(`Every import agrees with ${LAYERS_FILE}.\n`);
  else {
    const lines = violations.map(
      ({ from, to, fromLayer, toLayer }) =>
        `${legible(`${from} imports ${to}: layer ${fromLayer} must not import layer ${toLayer}`)}\n`,
    );
    await terminal.write(lines.join(''));
  }
  return violations.length === 0 ? EXIT.done : EXIT.failed;
}

function formatList(paths: readonly string[]): string {
  const more = paths.length - 3;
  return legible(paths.slice(0, 3).join(', ')) + (more > 0 ? ` and ${more} more` : '');
}

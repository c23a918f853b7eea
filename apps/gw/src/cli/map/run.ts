import { legible } from '@gateway/contract/legible';
import { type CodeMap, readCodeMap } from '../../map/code-map.ts';
import { cyclesOf } from '../../map/graph/cycles.ts';
import type { Graph } from '../../map/graph/graph.ts';
import { subgraph } from '../../map/graph/graph.ts';
import { violationsOf } from '../../map/graph/layers.ts';
import { nodeAt } from '../../map/graph/levels.ts';
import { mermaidOf } from '../../map/graph/mermaid.ts';
import { limit, neighbourhood } from '../../map/graph/select.ts';
import type { Context } from '../../process/context.ts';
import { CommandFailed, WrongUsage } from '../../process/fault.ts';
import { findProject, type Project } from '../../project/project.ts';
import { EXIT } from '../command/exit.ts';
import { findChangedFiles } from './changed-files.ts';
import { LAYERS_FILE, readLayers } from './layers-file.ts';
import type { MapOptions } from './options.ts';

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

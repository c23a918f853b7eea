import { join } from 'node:path';
import { faultText } from '../configuration/position.ts';
import { refuseName } from '../configuration/reference.ts';
import { listDirectory } from '../files/listing.ts';
import { type Project, staysWithin } from '../files/project.ts';
import { readText } from '../files/reading.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import type { Origin } from '../trust/sources.ts';
import { type Agent, readAgent } from './agent-file.ts';

/** An agent, and whose word its file is. */
export type FoundAgent = Agent & { readonly origin: Origin };

/** Agents by name, those of the project before those of home. Files with faults are left out. */
export async function listAgents(environment: Environment, project: Project): Promise<ReadonlyMap<string, FoundAgent>> {
  const agents = new Map<string, FoundAgent>();
  for (const { folder, within } of foldersOf(environment, project)) {
    const listing = await listDirectory(folder);
    if (listing.state !== 'read') continue;
    for (const { name, kind, nameable } of listing.entries) {
      const path = join(folder, name);
      if (!nameable || kind === 'directory' || !name.endsWith('.md')) continue;
      if (within !== null && !(await staysWithin(within, path))) continue;
      const reading = await readText(path);
      const agent = reading.state === 'read' ? readAgent(reading.text).agent : null;
      if (agent === null || agents.has(agent.name)) continue;
      agents.set(agent.name, { ...agent, origin: within === null ? 'user' : 'project' });
    }
  }
  return agents;
}

/**
 * The agent of `--agent` or of the Agent tool: a name, or the path of a Markdown file. The person may name a file anywhere; the
 * model only one inside the project. A file inside the project is the project's word, also where the person names it.
 * @throws WrongUsage naming what is wrong, and the agents there are.
 */
export async function findAgent(
  environment: Environment,
  project: Project,
  option: '--agent' | 'agent',
  word: string,
): Promise<FoundAgent> {
  const agents = await listAgents(environment, project);
  const named = agents.get(word);
  if (named !== undefined) return named;
  const path = pathFrom(environment, word);
  const isInside = await staysWithin(project.directory, path);
  const reading = await readText(path);
  if (reading.state === 'read' && (isInside || option === '--agent')) {
    const { agent, faults } = readAgent(reading.text);
    if (agent !== null) return { ...agent, origin: isInside ? 'project' : 'user' };
    throw new WrongUsage(faultText(word, faults));
  }
  refuseName(option, word);
  const there =
    agents.size === 0
      ? 'There are none yet: put one into .gateway/agents/.'
      : `There are: ${[...agents.keys()].join(', ')}.`;
  throw new WrongUsage(`${option} ${word}: there is no such agent and no such file. ${there}`);
}

function foldersOf(environment: Environment, project: Project) {
  const home = environment.homeDirectory;
  return [
    ...(project.foreign ? [] : [{ folder: join(project.directory, '.gateway', 'agents'), within: project.directory }]),
    ...(home === null || home === project.directory
      ? []
      : [{ folder: join(home, '.gateway', 'agents'), within: null }]),
  ];
}

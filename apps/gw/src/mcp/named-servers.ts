import { stat } from 'node:fs/promises';
import { loadConfiguration } from '../configuration/load.ts';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import type { Project } from '../project/project.ts';
import type { ServerConfiguration } from './types.ts';

/** The servers that `--mcp` names: an http(s) address, or a configuration file with `mcpServers`. */
export async function findNamedServers(
  environment: Environment,
  project: Project,
  words: readonly string[],
): Promise<readonly ServerConfiguration[]> {
  const found = await Promise.all(words.map((word) => serversOf(environment, project, word)));
  return found.flat();
}

async function serversOf(
  environment: Environment,
  project: Project,
  word: string,
): Promise<readonly ServerConfiguration[]> {
  const url = URL.parse(word);
  if (url !== null && /^https?:$/.test(url.protocol)) return [{ name: url.host, url: word, trusted: true }];
  const isFile = await stat(pathFrom(environment, word)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    throw new WrongUsage(
      `--mcp ${word}: no such file, and names do not resolve because there is no registry. Give a YAML file with mcpServers, or an http(s) address.`,
    );
  }
  const { main } = await loadConfiguration(environment, project, word);
  return (main?.value.mcpServers ?? []).map((server) => ({ ...server, trusted: true }));
}

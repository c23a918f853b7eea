import { stat } from 'node:fs/promises';
import { type Environment, pathFrom } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import { readUserFile } from '../trust/sources.ts';
import type { ServerConfiguration } from './types.ts';

/** The servers that `--mcp` names: an http(s) address, or a configuration file with `mcpServers`. */
export async function findNamedServers(
  environment: Environment,
  words: readonly string[],
): Promise<readonly ServerConfiguration[]> {
  const found = await Promise.all(words.map((word) => serversOf(environment, word)));
  return found.flat();
}

async function serversOf(environment: Environment, word: string): Promise<readonly ServerConfiguration[]> {
  const url = URL.parse(word);
  if (url !== null && /^https?:$/.test(url.protocol)) return [{ name: url.host, url: word, ofProject: false }];
  const isFile = await stat(pathFrom(environment, word)).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    throw new WrongUsage(
      `--mcp ${word}: no such file, and names do not resolve because there is no registry. Give a YAML file with mcpServers, or an http(s) address.`,
    );
  }
  const { value } = await readUserFile(environment, word, true, '--mcp');
  return (value.mcpServers ?? []).map((server) => ({ ...server, ofProject: false }));
}

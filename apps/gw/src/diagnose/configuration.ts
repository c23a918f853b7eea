import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ReadConfiguration, readConfiguration } from '../configuration/configuration.ts';
import { readText, type Unread } from '../files/reading.ts';
import { rightsOf } from '../files/rights.ts';
import { pathFrom } from '../process/environment.ts';
import { pluralize } from '../process/pluralize.ts';
import { reportFaults, reportUnread } from './faults.ts';
import { type ModelFacts, modelsFacts } from './models.ts';
import type { Line, Probe } from './probe.ts';
import type { OwnDirectory } from './project.ts';
import type { ProxiesFacts } from './proxies.ts';
import { findSecrets } from './secrets-in-text.ts';

export interface ConfigurationFacts {
  readonly file: string;
  readonly state: 'read' | Unread;
  readonly bytes: number | null;
  /** Whether it has the shape that the client takes. */
  readonly sound: boolean;
  readonly models: readonly ModelFacts[];
  readonly mcpServers: number;
  readonly rules: number;
  readonly prompts: number;
  /** Variables that provide values. */
  readonly references: readonly { readonly name: string; readonly set: boolean }[];
}

const NAMES = ['config.yaml', 'config.yml'];

/** Configuration files of the project and of home, or the one that was asked for. */
export async function configurationFiles(
  probe: Probe,
  directories: readonly OwnDirectory[],
  asked: string | undefined,
): Promise<readonly string[]> {
  if (asked !== undefined) return [pathFrom(probe.environment, asked)];
  const found: string[] = [];
  for (const { path } of directories) {
    const here: string[] = [];
    for (const file of NAMES.map((name) => join(path, name))) {
      // Any existing entry counts, including a dangling link: its author expects it to be read.
      if ((await lstat(file).catch(() => null)) !== null) here.push(file);
    }
    if (here.length > 1) {
      const where = probe.redaction.format`${path}`;
      probe.find({ what: 'There are a config.yaml and a config.yml.', where, fix: 'Keep one of them.' });
    }
    found.push(...here);
  }
  return found;
}

export async function configurationFacts(
  probe: Probe,
  proxies: ProxiesFacts,
  file: string,
): Promise<ConfigurationFacts> {
  const reading = await readText(file);
  if (reading.state !== 'read') {
    reportUnread(probe, 'The configuration', file, reading.state);
    const nothing = { sound: false, models: [], mcpServers: 0, rules: 0, prompts: 0, references: [] };
    return { file, state: reading.state, bytes: reading.bytes, ...nothing };
  }
  const read = readConfiguration(reading.text, probe.environment.variables.has('GATEWAY_URL'));
  reportFaults(probe, file, read.faults);
  reportReferences(probe, file, read);
  const shared = rightsOf(await stat(file).catch(() => null), probe.environment.userId)?.othersRead === true;
  const { models, literals } = modelsFacts(probe, proxies, {
    file,
    shared,
    data: read.yaml.data,
    placeOf: read.yaml.placeOf,
  });
  findSecrets(probe, file, reading.text, 'Put it into an environment variable, and write ${{ env.NAME }}.', literals);
  const { variables } = probe.environment;
  return {
    file,
    state: 'read',
    bytes: reading.bytes,
    sound: read.value !== null,
    models,
    mcpServers: read.value?.mcpServers?.length ?? 0,
    rules: read.value?.rules?.length ?? 0,
    prompts: read.value?.prompts?.length ?? 0,
    references: [...new Set(read.references.map(({ name }) => name))].map((name) => ({
      name,
      set: variables.has(name),
    })),
  };
}

function reportReferences(
  { environment, redaction, find }: Probe,
  file: string,
  { references }: ReadConfiguration,
): void {
  for (const { name, line, column } of references) {
    const value = environment.variables.get(name);
    const where = `${redaction.format`${file}`}:${line}:${column}`;
    const variable = redaction.name(name);
    if (value === undefined) {
      find({
        what: `The variable ${variable} is not set.`,
        where,
        fix: 'Set it where you start the client, and export it.',
      });
      continue;
    }
    redaction.withhold(value);
    if (/^[\s"']|[\s"']$/.test(value)) {
      find({
        what: `The value of ${variable} begins or ends with a blank, a line end or a quote, which is sent along.`,
        where,
        fix: 'Set it without them.',
      });
    }
  }
}

export function configurationLines(facts: ConfigurationFacts): readonly Line[] {
  const { file, state, bytes, sound, models, mcpServers, rules, prompts, references } = facts;
  if (state !== 'read') return [['File', `${file}: ${state}`]];
  return [
    ['File', `${file}: ${pluralize(bytes ?? 0, 'byte')}, ${sound ? 'valid' : 'not valid: see the findings'}`],
    ...models.map((model): Line => ['Model', modelLine(model)]),
    ...(sound
      ? [
          [
            'Besides',
            [pluralize(mcpServers, 'MCP server'), pluralize(rules, 'rule'), pluralize(prompts, 'prompt')].join(', '),
          ] as const,
        ]
      : []),
    ...references.map(({ name, set }): Line => ['Variable', `${name} is ${set ? 'set' : 'not set'}`]),
  ];
}

function modelLine({ name, model, address, key }: ModelFacts): string {
  const form =
    key.gatewayForm === null
      ? ''
      : key.gatewayForm
        ? ', of the form of an account key'
        : ', not of the form of an account key';
  const by = key.variable === null ? key.as : `from ${key.variable}${key.set ? '' : ', which is not set'}`;
  return `${name ?? 'without name'}: ${model ?? 'no model'} at ${address ?? 'no address'}; key: ${by}${form}`;
}

import { lstat, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isAccountKey } from '@gateway/contract';
import { type ReadConfiguration, readConfiguration } from '../configuration/configuration.ts';
import type { Position } from '../configuration/position.ts';
import { type Given, parseReference } from '../configuration/reference.ts';
import { isEndpointName } from '../configuration/shape.ts';
import { readText, type Unread } from '../files/reading.ts';
import { rightsOf } from '../files/replace.ts';
import { pathFrom } from '../process/environment.ts';
import { pluralize } from '../process/pluralize.ts';
import { detours, type ProxiesFacts } from './certificates.ts';
import { findSecrets, type Line, type Probe, reportFaults, reportUnread } from './probe.ts';
import type { OwnDirectory } from './project.ts';

/** How a model is given its key. The key itself is nowhere. */
interface KeyFacts {
  readonly as: Given['as'] | 'none';
  /** The variable of a reference. */
  readonly variable: string | null;
  /** Whether that variable is set. */
  readonly set: boolean;
  /** Whether the key has the form of an account key (roles-2); null where it is not known. */
  readonly gatewayForm: boolean | null;
}

interface ModelFacts {
  readonly name: string | null;
  readonly model: string | null;
  /** Scheme, host, port and path. */
  readonly address: string | null;
  readonly key: KeyFacts;
}

interface Source {
  readonly file: string;
  /** Whether others can read the file. */
  readonly shared: boolean;
  /** The content of the configuration, of any shape: a fault elsewhere in it hides no key. */
  readonly data: unknown;
  readonly placeOf: (path: readonly PropertyKey[]) => Position;
}

/** The models of a configuration, and the lines in which a key was found in the clear. */
function modelsFacts(
  probe: Probe,
  proxies: ProxiesFacts,
  source: Source,
): { readonly models: readonly ModelFacts[]; readonly literals: ReadonlySet<number> } {
  const literals = new Set<number>();
  const names = new Set<string>();
  const list = memberOf(source.data, 'models');
  const models = (Array.isArray(list) ? list : []).map((one: unknown, at): ModelFacts => {
    const reported = (member: string): string | null => scalarText(memberOf(one, member));
    const where = (member: string): string => {
      const { line, column } = source.placeOf(['models', at, member]);
      return `${probe.redaction.format`${source.file}`}:${line}:${column}`;
    };
    const name = reported('name');
    if (name !== null && names.size === names.add(name.toLowerCase()).size) {
      probe.find({
        what: 'Two models have the same name.',
        where: where('name'),
        fix: 'Give one of them another name.',
      });
    }
    const member = reported('endpoint') === null ? 'apiBase' : 'endpoint';
    const address = addressOf(probe, proxies, wholeAddress(probe, source.data, reported(member)), where(member));
    const key = keyOf(probe, reported('apiKey'), where('apiKey'), source.shared);
    if (key.as === 'literal') literals.add(source.placeOf(['models', at, 'apiKey']).line);
    return { name: printableName(probe, name), model: printableName(probe, reported('model')), address, key };
  });
  return { models, literals };
}

/** The name of an endpoint belongs to the gateway. */
function wholeAddress({ environment }: Probe, data: unknown, given: string | null): string | null {
  if (given === null || !isEndpointName(given)) return given;
  const gateway = environment.variables.get('GATEWAY_URL') ?? scalarText(memberOf(data, 'gateway'));
  return gateway === null ? null : `${gateway.replace(/\/+$/, '')}/${given}/v1`;
}

function memberOf(value: unknown, member: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, member)
    ? (value as Record<string, unknown>)[member]
    : undefined;
}

function scalarText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function printableName({ redaction }: Probe, name: string | null): string | null {
  return name === null ? null : redaction.name(name);
}

function addressOf(
  { redaction, find }: Probe,
  proxies: ProxiesFacts,
  text: string | null,
  where: string,
): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  for (const part of [url.username, url.password]) redaction.withhold(part);
  const local = /^(?:localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !local) {
    find({
      grade: 'security',
      what: 'Calls go out unencrypted, with your key in them.',
      where,
      fix: 'Write https, if the service speaks it.',
    });
  }
  if (detours(proxies, url)) {
    find({
      what: 'Calls to this machine would be sent to the proxy, which cannot reach it.',
      where,
      fix: redaction.format`Add ${url.hostname.replace(/^\[|\]$/g, '')} to NO_PROXY.`,
    });
  }
  return `${url.protocol}//${url.host}${url.pathname
    .split('/')
    .map((part) => (part === '' ? '' : redaction.name(part)))
    .join('/')}`;
}

function keyOf({ environment, redaction, find }: Probe, text: string | null, where: string, shared: boolean): KeyFacts {
  if (text === null) return { as: 'none', variable: null, set: false, gatewayForm: null };
  const given = parseReference(text);
  const variable = given.as === 'reference' ? given.variable : null;
  const key = given.as === 'literal' ? text : environment.variables.get(variable ?? '');
  if (given.as === 'literal') {
    redaction.withhold(text);
    find({
      grade: 'security',
      what: `A key is there in plain text${shared ? ', and others can read the file' : ''}.`,
      where,
      fix: 'Put it into an environment variable, and write ${{ env.NAME }}. Have it replaced if others could read it.',
    });
  }
  if (given.as === 'other notation' || given.as === 'mixture') {
    redaction.withhold(text);
    find({
      what: 'The key would be sent as it is written there.',
      where,
      fix: 'Write ${{ env.NAME }} and nothing else.',
    });
  }
  const gatewayForm = key === undefined ? null : isAccountKey(key);
  // Blanks or quotes around a key are reported already.
  const bare = key?.replaceAll(/^[\s"']+|[\s"']+$/g, '') ?? '';
  if (bare.toLowerCase().startsWith('gwk_') && !isAccountKey(bare)) {
    const fix = 'Copy the key again, whole: gwk_ and 48 of 0-9, a-f. Where it is lost, have a new one issued.';
    find({ what: 'The key begins like an account key, but it is not one.', where, fix });
  }
  return {
    as: given.as,
    variable: variable === null ? null : redaction.name(variable),
    set: key !== undefined,
    gatewayForm,
  };
}

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

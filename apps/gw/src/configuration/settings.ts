import type { Environment } from '../process/environment.ts';
import { WrongUsage } from '../process/fault.ts';
import type { Project } from '../project/project.ts';
import { loadConfiguration } from './load.ts';
import { type PermissionSettings, permissionSettings } from './permissions.ts';
import { type Configuration, isEndpointName } from './shape.ts';

export interface Prices {
  readonly input: number;
  readonly output: number;
}

/** A model that can be called. */
export interface ModelChoice {
  readonly name: string;
  readonly id: string;
  /** Base address of the chat completions API. */
  readonly address: string;
  readonly apiKey: string | null;
  /** It is an endpoint of the configured gateway: the credential of `gw login` may be sent there. */
  readonly atGateway: boolean;
  readonly roles: readonly string[] | null;
  readonly contextLength: number | null;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  /** Seconds without a byte, after the first one, that end an answer. */
  readonly stallSeconds: number;
  /** Null: not known, so images are sent. */
  readonly images: boolean | null;
  /** Euros per million tokens; null where they are not configured. */
  readonly prices: Prices | null;
}
type ConfiguredServer = NonNullable<Configuration['mcpServers']>[number];
export interface ServerChoice extends ConfiguredServer {
  /** False: only the project's own file names it, so that it is started only where the user agrees. */
  readonly trusted: boolean;
}
export interface Settings {
  /** Base address without a slash at its end; null where none is configured. */
  readonly gateway: string | null;
  readonly models: readonly ModelChoice[];
  readonly rules: readonly string[];
  readonly prompts: readonly string[];
  readonly servers: readonly ServerChoice[];
  readonly permissions: PermissionSettings;
  /** Whether files are copied before they change, for `/undo`. */
  readonly snapshots: boolean;
}

/** What is configured for a session in this project. Throws `WrongUsage` where something in it is wrong. */
export async function readSettings(
  environment: Environment,
  project: Project,
  asked: string | null,
): Promise<Settings> {
  const { main, besides } = await loadConfiguration(environment, project, asked);
  const gateway = gatewayOf(environment, main?.value.gateway ?? null);
  const files = [main, besides].filter((file) => file !== null);
  return {
    gateway,
    permissions: permissionSettings(files),
    snapshots: files.every(({ value }) => value.snapshots !== false),
    models: (main?.value.models ?? []).map((model) => choiceOf(model, gateway)),
    rules: files.flatMap(({ value }) => value.rules ?? []),
    prompts: files.flatMap(({ value }) => value.prompts ?? []),
    servers: files.flatMap(({ value, of }) =>
      (value.mcpServers ?? []).map((server) => ({
        ...server,
        trusted: of !== 'project',
      })),
    ),
  };
}

function gatewayOf({ variables }: Environment, configured: string | null): string | null {
  const asked = variables.get('GATEWAY_URL');
  if (asked === undefined) return configured?.replace(/\/+$/, '') ?? null;
  const url = URL.parse(asked);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
    throw new WrongUsage('GATEWAY_URL must be an http or https address without user name and password.');
  return asked.replace(/\/+$/, '');
}

function choiceOf(model: NonNullable<Configuration['models']>[number], gateway: string | null): ModelChoice {
  const given = model.endpoint ?? model.apiBase ?? '';
  const address = isEndpointName(given) ? `${gateway ?? ''}/${given}/v1` : given;
  if (URL.parse(address) === null)
    throw new WrongUsage(`The address of the model ${model.name} is not an address once its variables are in place.`);
  return {
    name: model.name,
    id: model.model ?? model.name,
    address,
    apiKey: model.apiKey ?? null,
    atGateway: gateway !== null && (address === gateway || address.startsWith(`${gateway}/`)),
    roles: model.roles ?? null,
    contextLength: model.contextLength ?? null,
    maxTokens: model.maxTokens ?? null,
    temperature: model.temperature ?? null,
    stallSeconds: model.stallSeconds ?? STALL_SECONDS,
    images: model.images ?? null,
    prices: model.prices ?? null,
  };
}

const STALL_SECONDS = 300;

const EXAMPLE = `  name: Mine
  version: 1.0.0
  gateway: https://gateway.example
  models:
    - name: Coder
      endpoint: demo
      apiKey: \${{ env.GATEWAY_KEY }}
`;

/**
 * The model to begin with: the one asked for, else that of the agent, else the first that may chat.
 * @throws WrongUsage naming the models there are.
 */
export function chooseModel(
  models: readonly ModelChoice[],
  asked: { readonly option: string | null; readonly agent: string | null },
): ModelChoice {
  const [first] = models;
  if (first === undefined)
    throw new WrongUsage('No model is configured. Write the file ~/.gateway/config.yaml, for example:', EXAMPLE);
  const wanted = asked.option ?? asked.agent;
  if (wanted === null) return models.find(({ roles }) => roles === null || roles.includes('chat')) ?? first;
  const found = findModel(models, wanted);
  if (found !== null) return found;
  const by = asked.option === null ? 'The agent asks for the model' : '--model';
  throw new WrongUsage(`${by} ${wanted}: no model has this name. There are: ${models.map(namesOf).join(', ')}.`);
}

/** By readable name or identifier, ignoring case. */
export function findModel(models: readonly ModelChoice[], wanted: string): ModelChoice | null {
  const name = wanted.toLowerCase();
  return (
    models.find((one) => one.name.toLowerCase() === name) ?? models.find((one) => one.id.toLowerCase() === name) ?? null
  );
}

function namesOf({ name, id }: ModelChoice): string {
  return name === id ? name : `${name} (${id})`;
}

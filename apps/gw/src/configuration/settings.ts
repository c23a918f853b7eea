import { type OrderedRule, parseOwnRule, type Rule } from '../permissions/rule.ts';
import { WrongUsage } from '../process/fault.ts';
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
  /** A project's file adds it: its key is no credential of the user. */
  readonly ofProject?: boolean;
}
type ConfiguredServer = NonNullable<Configuration['mcpServers']>[number];
export interface ServerChoice extends ConfiguredServer {
  /** A project's file names it, and the person agreed to it. For display. */
  readonly ofProject: boolean;
}

/**
 * A configured model as it is called.
 * @param base what completes the bare name of an endpoint
 * @param gateway the gateway of the user's sources
 */
export function choiceOf(
  model: NonNullable<Configuration['models']>[number],
  base: string | null,
  gateway: string | null,
): ModelChoice {
  const given = model.endpoint ?? model.apiBase ?? '';
  const address = isEndpointName(given) ? `${base ?? ''}/${given}/v1` : given;
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
  /** Names of the project's models that nobody agreed to. */
  ignored: readonly string[] = [],
): ModelChoice {
  const [first] = models;
  const wanted = asked.option ?? asked.agent;
  const ofProject = ignored.find((name) => first === undefined || name.toLowerCase() === wanted?.toLowerCase());
  if (ofProject !== undefined)
    throw new WrongUsage(
      `${first === undefined ? 'You have configured no model, and the' : 'The'} model ${ofProject} is one that this project adds and nobody agreed to. See it and agree: gw trust`,
    );
  if (first === undefined)
    throw new WrongUsage('No model is configured. Write the file ~/.gateway/config.yaml, for example:', EXAMPLE);
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

/** The rules of the configuration, in the form that decisions take them. */
export interface PermissionSettings {
  readonly exclude: readonly Rule[];
  /** The later one wins. */
  readonly ordered: readonly OrderedRule[];
}

/** What a configuration file says about permissions. */
interface PermissionLists {
  readonly allow: readonly string[];
  readonly ask: readonly string[];
  readonly exclude: readonly string[];
}

/** Of each file what is asked for outranks what is allowed; a later file outranks one before it. */
export function permissionSettings(files: readonly PermissionLists[]): PermissionSettings {
  const as = (decision: OrderedRule['decision'], list: readonly string[]): readonly OrderedRule[] =>
    list.map((text) => ({ decision, rule: ruleOf(text) }));
  return {
    exclude: files.flatMap(({ exclude }) => exclude.map(ruleOf)),
    ordered: files.flatMap(({ allow, ask }) => [...as('allow', allow), ...as('ask', ask)]),
  };
}

/** Texts that are no rule were refused when the file was read, but for those that a variable completes. */
function ruleOf(text: string): Rule {
  const read = parseOwnRule(text);
  if ('fault' in read) throw new WrongUsage(`permissions: ${JSON.stringify(text)} ${read.fault}.`);
  return read.rule;
}

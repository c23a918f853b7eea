import { editsBetween } from '@gateway/contract/edit-distance';
import { parseOwnRule, TOOL_NAMES } from '../permissions/rule.ts';
import type { Schema } from '../schema/index.ts';
import * as s from '../schema/index.ts';
import type { Fault } from './position.ts';
import type { YamlText } from './yaml-text.ts';

export const text = s.string({ min: 1 });
export const texts = s.array(text, {}, 'a list of strings');
const count = s.integer({ moreThan: 0 });

const NO_ADDRESS = 'must be an http or https address without user name and password';
/** Said of a bare endpoint name where no gateway is known to add it to. */
export const NEEDS_GATEWAY = 'is a name, and no gateway is configured';
const NO_ENDPOINT = 'needs one of endpoint and apiBase';
const NO_SERVER = 'needs one of command and url';
const NO_RULE = 'is not a rule';

/** The fix for a value of the wrong shape, by the fault's message. The default is to correct the value. */
export const SHAPE_FIXES: Readonly<Record<string, string>> = {
  'is missing': 'Add it.',
  'is empty': 'Give it a value, or remove it.',
  [NO_ADDRESS]: 'Write it as https://gateway.example/demo/v1.',
  [NEEDS_GATEWAY]:
    'Add gateway: https://gateway.example to the file, set GATEWAY_URL, or write the whole address: https://gateway.example/demo/v1.',
  [NO_RULE]: `Write Tool or Tool(pattern), for example Write, or Bash(npm run *). Tools are ${TOOL_NAMES.join(', ')} and mcp__<server>__<tool>.`,
  [NO_ENDPOINT]: 'Give one of the two, not both.',
  [NO_SERVER]: 'Give one of the two, not both.',
};

/** An address of http or https. Its user info would be shown wherever the address is, so that it has none. */
const address = text.refine(isAddress, NO_ADDRESS);
/** The same, or the name of an endpoint of the gateway. */
const endpoint = text.refine((value) => isEndpointName(value) || isAddress(value), NO_ADDRESS);

/** Whether a model's endpoint is only a name, which means `{gateway}/<name>/v1`. */
export function isEndpointName(value: string): boolean {
  return /^[\w.-]+$/.test(value);
}

function isAddress(value: string): boolean {
  if (value.includes('${{')) return true; // known only where the variable is set
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const amount = s.number({ min: 0 });
const prices = s.strictObject({ input: amount, output: amount });

const rule = text.refine((value) => 'rule' in parseOwnRule(value), NO_RULE);
const ruleList = s.array(rule, {}, 'a list of rules').optional();
/** Of several rules about a call, `exclude` outranks `ask`, and `ask` outranks `allow`. */
const permissions = s.strictObject({ allow: ruleList, ask: ruleList, exclude: ruleList });

const modelMembers = s.strictObject({
  /** The readable name, by which `--model` finds it. */
  name: text,
  /** The model as its provider names it. */
  model: text.optional(),
  /**
   * Where calls go: the name of an endpoint of the gateway, or its whole base address,
   * `https://gateway.example/demo/v1`. `apiBase` is what other tools call such an address.
   */
  endpoint: endpoint.optional(),
  apiBase: address.optional(),
  apiKey: text.optional(),
  roles: texts.optional(),
  /** Tokens. */
  contextLength: count.optional(),
  maxTokens: count.optional(),
  /** Seconds without a byte, after the first one, that end an answer. */
  stallSeconds: count.optional(),
  /** Whether it takes images. Without the member, images are sent. */
  images: s.boolean().optional(),
  /** Euros per million tokens, to show what a session costs. */
  prices: prices.optional(),
  temperature: s.number({ min: 0, max: 2 }).optional(),
});
const model = modelMembers.refine((one) => (one.endpoint === undefined) !== (one.apiBase === undefined), NO_ENDPOINT);

const serverMembers = s.strictObject({
  name: text,
  command: text.optional(),
  args: texts.optional(),
  env: s.record(text, 'an object of strings').optional(),
  cwd: text.optional(),
  url: address.optional(),
  type: s.oneOf(['stdio', 'sse', 'streamable-http']).optional(),
});
const mcpServer = serverMembers.refine((one) => (one.command === undefined) !== (one.url === undefined), NO_SERVER);

const hook = s.strictObject({
  on: s.oneOf(['before-tool', 'after-tool', 'session-start', 'turn-end']),
  /** Rules of the calls that it is about; without them, all. */
  tools: ruleList,
  command: text,
  timeoutSeconds: count.optional(),
});

/** The configuration of the client. A member that is not listed here is refused. */
export const configurationShape = s.strictObject({
  name: text.optional(),
  version: text.optional(),
  /** Base address of the gateway. `GATEWAY_URL` outranks it. */
  gateway: address.optional(),
  models: s.array(model).optional(),
  rules: texts.optional(),
  prompts: texts.optional(),
  /** What `--allow`, `--ask` and `--exclude` say on the command line. `allow` of a project's own file does not count. */
  permissions: permissions.optional(),
  mcpServers: s.array(mcpServer).optional(),
  /** Programs that run at points of the work. Only those of the user's own configuration count. */
  hooks: s.array(hook).optional(),
  /** `false`: files are not copied before they change, and `/undo` restores the conversation only. */
  snapshots: s.boolean().optional(),
});

export type Configuration = s.Infer<typeof configurationShape>;

/** Every member there is, at any depth. */
export const MEMBERS: readonly string[] = [
  ...Object.keys(configurationShape.shape),
  ...Object.keys(modelMembers.shape),
  ...Object.keys(serverMembers.shape),
  ...Object.keys(permissions.shape),
  ...Object.keys(hook.shape),
  ...Object.keys(prices.shape),
];

/** The value that a text states, or null where something in it is wrong; and all that is wrong, in the order of the text. */
interface Checked<T> {
  readonly value: T | null;
  readonly faults: readonly Fault[];
}

/**
 * Checks a text of YAML with its schema. Unknown members are refused with their position.
 * @param members names that the shape knows, to suggest a correction of a misspelled one.
 */
export function checkYaml<T>(yaml: YamlText, shape: Schema<T>, members: readonly string[]): Checked<T> {
  if (yaml.data === undefined || yaml.faults.length > 0) return { value: null, faults: yaml.faults };
  const checked = shape.check(yaml.data);
  if (checked.ok) return { value: checked.value, faults: [] };
  const faults = checked.issues.map(({ path, message, unknown }): Fault => {
    if (unknown === undefined)
      return { ...yaml.placeOf(path), path, message, fix: SHAPE_FIXES[message] ?? 'Correct it.' };
    return {
      ...yaml.placeOfName(path, unknown),
      path: [...path, unknown],
      message: 'is not a known member',
      fix: fixOf(unknown, members),
    };
  });
  return { value: null, faults: faults.sort((one, other) => one.line - other.line || one.column - other.column) };
}

function fixOf(key: string, members: readonly string[]): string {
  const near = members.find((member) => editsBetween(member.toLowerCase(), key.toLowerCase(), 2) <= 2);
  return near === undefined ? 'Remove it.' : `Did you mean "${near}"? Otherwise remove it.`;
}

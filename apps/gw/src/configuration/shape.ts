import * as z from 'zod';
import { parseRule } from '../permissions/rule.ts';

// Compiling a check to code pays where it runs thousands of times; here each runs once or twice.
z.config({ jitless: true });

/** What is said of a value of another type: members are mostly empty or missing, not wrong. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : input === null ? 'is empty' : `must be ${what}`,
});
export const text = z.string(must('a text')).min(1, 'is empty');
export const texts = z.array(text, must('a list of texts'));
const count = z.int(must('a whole number')).positive('must be greater than 0');

const NO_ADDRESS = 'must be an http or https address without user name and password';
/** Said of a bare endpoint name where no gateway is known to add it to. */
export const NEEDS_GATEWAY = 'is a name, and no gateway is configured';
const NO_ENDPOINT = 'needs one of endpoint and apiBase';
const NO_SERVER = 'needs one of command and url';
const NO_RULE = 'is no rule';

/** What fixes a value of the wrong shape, by what is said of it. Anything else is corrected. */
export const SHAPE_FIXES: Readonly<Record<string, string>> = {
  'is missing': 'Add it.',
  'is empty': 'Give it a value, or remove it.',
  [NO_ADDRESS]: 'Write it as https://gateway.example/demo/v1.',
  [NEEDS_GATEWAY]:
    'Add gateway: https://gateway.example to the file, set GATEWAY_URL, or write the whole address: https://gateway.example/demo/v1.',
  [NO_RULE]: 'Write Tool or Tool(pattern), for example Write, or Bash(npm run *).',
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

const amount = z.number(must('a number')).min(0, 'must be 0 or more');
const prices = z.strictObject({ input: amount, output: amount }, must('an object'));

const rule = text.refine((value) => 'rule' in parseRule(value), NO_RULE);
const ruleList = z.array(rule, must('a list of rules')).exactOptional();
/** Of several rules about a call, `exclude` outranks `ask`, and `ask` outranks `allow`. */
const permissions = z.strictObject({ allow: ruleList, ask: ruleList, exclude: ruleList }, must('an object'));

const model = z
  .strictObject(
    {
      /** The readable name, by which `--model` finds it. */
      name: text,
      /** The model as its provider names it. */
      model: text.exactOptional(),
      /**
       * Where calls go: the name of an endpoint of the gateway, or its whole base address,
       * `https://gateway.example/demo/v1`. `apiBase` is what other tools call such an address.
       */
      endpoint: endpoint.exactOptional(),
      apiBase: address.exactOptional(),
      apiKey: text.exactOptional(),
      roles: texts.exactOptional(),
      /** Tokens. */
      contextLength: count.exactOptional(),
      maxTokens: count.exactOptional(),
      /** Whether it takes images. Without the member, images are sent. */
      images: z.boolean(must('true or false')).exactOptional(),
      /** Euros per million tokens, to show what a session costs. */
      prices: prices.exactOptional(),
      temperature: z.number(must('a number')).min(0, 'must be 0 or more').max(2, 'must be 2 or less').exactOptional(),
    },
    must('an object'),
  )
  .refine((one) => (one.endpoint === undefined) !== (one.apiBase === undefined), NO_ENDPOINT);

const mcpServer = z
  .strictObject(
    {
      name: text,
      command: text.exactOptional(),
      args: texts.exactOptional(),
      env: z.record(z.string(), text, must('an object of texts')).exactOptional(),
      cwd: text.exactOptional(),
      url: address.exactOptional(),
      type: z.enum(['stdio', 'sse', 'streamable-http'], must('stdio, sse or streamable-http')).exactOptional(),
    },
    must('an object'),
  )
  .refine((one) => (one.command === undefined) !== (one.url === undefined), NO_SERVER);

/** The configuration of the client. A member that is not listed here is refused. */
export const configurationShape = z.strictObject(
  {
    name: text.exactOptional(),
    version: text.exactOptional(),
    /** Base address of the gateway. `GATEWAY_URL` outranks it. */
    gateway: address.exactOptional(),
    models: z.array(model, must('a list')).exactOptional(),
    rules: texts.exactOptional(),
    prompts: texts.exactOptional(),
    /** What `--allow`, `--ask` and `--exclude` say on the command line. `allow` of a project's own file does not count. */
    permissions: permissions.exactOptional(),
    mcpServers: z.array(mcpServer, must('a list')).exactOptional(),
  },
  must('an object'),
);

export type Configuration = z.infer<typeof configurationShape>;

/** Every member there is, at any depth. */
export const MEMBERS: readonly string[] = [
  ...Object.keys(configurationShape.shape),
  ...Object.keys(model.shape),
  ...Object.keys(mcpServer.shape),
  ...Object.keys(permissions.shape),
  ...Object.keys(prices.shape),
];

import * as z from 'zod';

/** What is said of a value of another type: members are mostly empty or missing, not wrong. */
const must = (what: string) => ({
  error: ({ input }: { readonly input?: unknown }) =>
    input === undefined ? 'is missing' : input === null ? 'is empty' : `must be ${what}`,
});
export const text = z.string(must('a text')).min(1, 'is empty');
export const texts = z.array(text, must('a list of texts'));
const count = z.int(must('a whole number')).positive('must be greater than 0');

const NO_ADDRESS = 'must be an http or https address without user name and password';
const A_NAME = 'must be a whole address, not a name';
const NO_ENDPOINT = 'needs one of endpoint and apiBase';
const NO_SERVER = 'needs one of command and url';

/** What mends a value of the wrong shape, by what is said of it. Anything else is corrected. */
export const SHAPE_MENDS: Readonly<Record<string, string>> = {
  'is missing': 'Add it.',
  'is empty': 'Give it a value, or remove it.',
  [NO_ADDRESS]: 'Write it as https://gateway.example/demo/v1.',
  [A_NAME]:
    'Write the address of that endpoint of the gateway: https://gateway.example/demo/v1 for an endpoint named demo.',
  [NO_ENDPOINT]: 'Give one of the two, not both.',
  [NO_SERVER]: 'Give one of the two, not both.',
};

/** An address of http or https. Its user info would be shown wherever the address is, so that it has none. */
const address = text.refine(isAddress, {
  error: ({ input }) => (/^[\w.-]+$/.test(String(input)) ? A_NAME : NO_ADDRESS),
});

function isAddress(value: string): boolean {
  if (value.includes('${{')) return true; // known only where the variable is set
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
}

const model = z
  .strictObject(
    {
      /** The readable name, by which `--model` finds it. */
      name: text,
      /** The model as its provider names it. */
      model: text.exactOptional(),
      /**
       * Where calls go: the whole base address of an endpoint, `https://gateway.example/demo/v1`. A configuration names
       * no gateway, to which the name of an endpoint alone could be added. `apiBase` is what other tools call the same.
       */
      endpoint: address.exactOptional(),
      apiBase: address.exactOptional(),
      apiKey: text.exactOptional(),
      roles: texts.exactOptional(),
      /** Tokens. */
      contextLength: count.exactOptional(),
      maxTokens: count.exactOptional(),
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
    models: z.array(model, must('a list')).exactOptional(),
    rules: texts.exactOptional(),
    prompts: texts.exactOptional(),
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
];

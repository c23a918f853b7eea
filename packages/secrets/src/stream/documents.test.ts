import { describe, expect, it } from 'vitest';
import { pem } from '../testing/private-key.ts';
import { dice } from '../testing/specimen.ts';
import { read, written } from '../testing/written.ts';
import { createEventStream } from './events.ts';
import type { Framing } from './framing.ts';
import { createScanner } from './scanner.ts';

const scanner = createScanner({ key: Buffer.from('documents') });
const MASK = { high: 'mask', medium: 'mask' } as const;

/** Answers of models that write down what they read in a repository. */
const ANSWERS = [
  [
    'an environment file',
    `Here is your \`.env\`:

\`\`\`sh
DATABASE_URL=postgres://shop:«url-password [A-Za-z0-9]{20}»@db.internal:5432/shop
STRIPE_SECRET_KEY=«stripe-key sk_live_[A-Za-z0-9]{99}»
AWS_SECRET_ACCESS_KEY="«aws-secret-key [A-Za-z0-9+/]{40}»"
DEBUG=false
\`\`\`

Add it to \`.gitignore\`.`,
  ],
  [
    'a manifest',
    `env:
- name: GITLAB_TOKEN
  value: "«gitlab-token glpat-[A-Za-z0-9]{20}»"
- name: SNYK_TOKEN
  value: «snyk-token {uuid}»
- name: LOG_LEVEL
  value: info
`,
  ],
  [
    'code',
    `const client = new OpenAI({ apiKey: '«openai-key sk-proj-[A-Za-z0-9_-]{120}»' });
const password = "«named-secret [A-Za-z0-9]{24}»"; // TODO: move to the vault
await client.chat("grüße 🔑 «slack-token xoxb-[0-9]{12}-[0-9]{13}-[A-Za-z0-9]{24}»!");
`,
  ],
  [
    'a command and its output',
    `$ curl -H "Authorization: Bearer «bearer-authorization [A-Za-z0-9_-]{60}»" https://api.acme.io/v1/me
{"id":"«- {uuid}»","commit":"«- [a-f0-9]{40}»","token":"«named-secret [A-Za-z0-9]{40}»"}
`,
  ],
  ['nothing secret', 'commit «- [a-f0-9]{40}»\nid «- {uuid}»\npassword: process.env.PASSWORD\n"keys": ["a", "b"]\n'],
] as const;

interface Service {
  readonly framing: Framing;
  readonly piece: (text: string) => unknown;
  readonly textOf: (event: unknown) => string | undefined;
  readonly last: unknown;
}

interface OpenAi {
  readonly choices?: readonly { readonly delta: { readonly content?: string } }[];
}
interface Anthropic {
  readonly delta?: { readonly text?: string };
}
interface Gemini {
  readonly candidates?: readonly { readonly content: { readonly parts: readonly { readonly text: string }[] } }[];
}
interface Ollama {
  readonly message?: { readonly content: string };
}

const SERVICES: readonly (readonly [string, Service])[] = [
  [
    'chat completions',
    {
      framing: 'sse',
      piece: (text) => ({ id: 'c', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] }),
      textOf: (event) => (event as OpenAi).choices?.[0]?.delta.content,
      last: { id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    },
  ],
  [
    'messages',
    {
      framing: 'sse',
      piece: (text) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
      textOf: (event) => (event as Anthropic).delta?.text,
      last: { type: 'content_block_stop', index: 0 },
    },
  ],
  [
    'responses',
    {
      framing: 'sse',
      piece: (delta) => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta }),
      textOf: (event) => (event as { delta?: string }).delta,
      last: { type: 'response.completed', response: { id: 'r' } },
    },
  ],
  [
    'generated content',
    {
      framing: 'sse',
      piece: (text) => ({ candidates: [{ content: { parts: [{ text }], role: 'model' }, index: 0 }] }),
      textOf: (event) => (event as Gemini).candidates?.[0]?.content.parts.map(({ text }) => text).join(''),
      last: { candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }] },
    },
  ],
  [
    'lines of JSON',
    {
      framing: 'ndjson',
      piece: (content) => ({ model: 'm', message: { role: 'assistant', content }, done: false }),
      textOf: (event) => (event as Ollama).message?.content,
      last: { model: 'm', message: { role: 'assistant', content: '' }, done: true },
    },
  ],
];

/** Tokens of a model: a few characters each, never half of one. */
function tokensOf(text: string, seed: string): readonly string[] {
  const roll = dice(seed);
  const tokens: string[] = [];
  for (const character of text) {
    if (tokens.length === 0 || roll(4) === 0) tokens.push('');
    tokens[tokens.length - 1] += character;
  }
  return tokens;
}

/** What a client puts together of an answer, after the network cut it anywhere. */
function received({ framing, piece, textOf, last }: Service, text: string, seed: string): string {
  const frame = (event: unknown): string =>
    framing === 'sse' ? `data: ${JSON.stringify(event)}\n\n` : `${JSON.stringify(event)}\n`;
  const bytes = Buffer.from([...tokensOf(text, seed).map(piece), last].map(frame).join(''));
  const stream = createEventStream(scanner, MASK, framing);
  const roll = dice(`network ${seed}`);
  const out: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + roll(300);
    out.push(stream.push(bytes.subarray(at, to)).bytes);
    at = to;
  }
  out.push(stream.end().bytes);
  const events = Buffer.concat(out)
    .toString()
    .split('\n')
    .filter((line) => line.length > 0)
    .map((line): unknown => JSON.parse(line.replace(/^data: /, '')));
  return events.map((event) => textOf(event) ?? '').join('');
}

describe.each(SERVICES)('an answer as %s', (name, service) => {
  it.each(ANSWERS)('reaches the developer without the secrets of %s, and with all the rest', (_, template) => {
    const { text, masked } = written(template);
    for (const round of [1, 2]) expect(received(service, text, `${name} ${round}`)).toBe(masked);
  });

  it('reaches the developer without a private key, and with what is around it', () => {
    const text = `Your key:\n\n${pem}\nKeep it safe.`;
    expect(received(service, text, name)).toBe(read(text).masked);
  });
});

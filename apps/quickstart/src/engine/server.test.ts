import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEngine } from './server.ts';

let server: Server;
let address: string;

beforeAll(async () => {
  server = createEngine().listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const HELLO = { model: 'demo-model', messages: [{ role: 'user', content: 'Good morning' }] };

function chat(body: object | string): Promise<Response> {
  return fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

interface Answer {
  readonly model: string;
  readonly choices: readonly { readonly message: { readonly content: string }; readonly finish_reason: string }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
  readonly error: { readonly message: string; readonly code: string | null };
}

async function answered(body: object | string, status = 200): Promise<Answer> {
  const response = await chat(body);
  expect(response.status).toBe(status);
  return (await response.json()) as Answer;
}

describe('a plain chat completion', () => {
  it('returns the model, and the prompt', async () => {
    const { choices, model } = await answered(HELLO);
    expect(choices[0]?.message.content).toMatch(/^This is the demo engine .* not a language model/);
    expect(choices[0]?.message.content).toContain('"Good morning"');
    expect(model).toBe('demo-model');
  });

  it('counts the tokens of prompt and answer', async () => {
    const { usage, choices } = await answered(HELLO);
    const words = choices[0]?.message.content.split(/\s+/).length;
    expect(usage).toEqual({ prompt_tokens: 2, completion_tokens: words, total_tokens: 2 + (words ?? 0) });
  });

  it.each(['max_tokens', 'max_completion_tokens'])('ends at %s', async (name) => {
    const { choices, usage } = await answered({ ...HELLO, [name]: 3 });
    expect(choices[0]).toMatchObject({ message: { content: 'This is the' }, finish_reason: 'length' });
    expect(usage.completion_tokens).toBe(3);
  });

  it('reads content in parts, and skips parts that are no text', async () => {
    const content = [
      { type: 'text', text: 'What is' },
      { type: 'image_url', image_url: { url: 'data:,' } },
      { type: 'text', text: 'this?' },
    ];
    const { choices } = await answered({ ...HELLO, messages: [{ role: 'user', content }] });
    expect(choices[0]?.message.content).toContain('What is  this?');
  });

  it('repeats no more than a part of a long message', async () => {
    const { choices } = await answered({ ...HELLO, messages: [{ role: 'user', content: 'x'.repeat(100_000) }] });
    expect(choices[0]?.message.content.length).toBeLessThan(600);
  });
});

describe('a streamed chat completion', () => {
  async function events(body: object): Promise<readonly string[]> {
    const response = await chat({ ...HELLO, max_tokens: 4, stream: true, ...body });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    return (await response.text()).split('\n\n').filter(Boolean);
  }

  it('is the same text in pieces, then the closing event', async () => {
    const got = await events({});
    expect(got.at(-1)).toBe('data: [DONE]');
    const chunks = got.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
    expect(chunks.map((chunk) => chunk.choices[0].delta.content ?? '').join('')).toBe('This is the demo ');
    expect(chunks.at(-1).choices[0].finish_reason).toBe('length');
    expect(chunks.every((chunk) => !('usage' in chunk))).toBe(true);
  });

  it('contains its usage on request', async () => {
    const last = (await events({ stream_options: { include_usage: true } })).at(-2) ?? '';
    expect(JSON.parse(last.slice('data: '.length))).toMatchObject({ choices: [], usage: { completion_tokens: 4 } });
  });
});

describe('a request it does not serve', () => {
  it.each([
    ['no JSON', '{', 400],
    ['no messages', { model: 'demo-model' }, 400],
    ['empty messages', { model: 'demo-model', messages: [] }, 400],
    ['another model', { ...HELLO, model: 'other' }, 404],
  ])('%s: an error in the shape clients read', async (_, body, status) => {
    const { error } = await answered(body, status);
    expect(error.message.length).toBeGreaterThan(10);
  });

  it('names the code of an unknown model', async () => {
    expect((await answered({ ...HELLO, model: 'other' }, 404)).error.code).toBe('model_not_found');
  });

  it('answers a body that is too large, instead of cutting the connection', async () => {
    const { error } = await answered({ ...HELLO, padding: 'x'.repeat(17 * 1024 * 1024) }, 413);
    expect(error.message).toBe('The request body is larger than 16777216 bytes.');
  });

  it('lists its addresses in a 404', async () => {
    const response = await fetch(`${address}/v1/embeddings`);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain('/v1/chat/completions');
  });
});

it('lists its one model', async () => {
  const response = await fetch(`${address}/v1/models`);
  expect(await response.json()).toMatchObject({ object: 'list', data: [{ id: 'demo-model', object: 'model' }] });
});

it('continues to serve after a caller disconnects mid-stream', async () => {
  const leave = new AbortController();
  const response = await fetch(`${address}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ ...HELLO, stream: true }),
    signal: leave.signal,
  });
  await response.body?.getReader().read();
  leave.abort();
  expect((await chat(HELLO)).status).toBe(200);
});

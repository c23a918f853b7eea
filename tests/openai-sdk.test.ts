import OpenAI, { APIUserAbortError, AuthenticationError, NotFoundError, PermissionDeniedError } from 'openai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStack } from './support/stack.ts';

// The official SDK against `npm start`, unchanged but for base URL and key.
let stack: Awaited<ReturnType<typeof startStack>>;
let client: OpenAI;

beforeAll(async () => {
  stack = await startStack();
  client = sdk();
});

afterAll(() => stack.stop());

function sdk(options: { readonly endpoint?: string; readonly apiKey?: string } = {}): OpenAI {
  const { endpoint = 'demo', apiKey = stack.keys.demo ?? '' } = options;
  return new OpenAI({ baseURL: `${stack.gateway}/${endpoint}/v1`, apiKey, maxRetries: 0 });
}

const HELLO = { model: 'any', messages: [{ role: 'user' as const, content: 'Good morning' }] };

describe('chat', () => {
  it('is answered by the endpoint’s model, for any requested model', async () => {
    const completion = await client.chat.completions.create(HELLO);
    expect(completion.model).toBe('demo-model');
    expect(completion.choices[0]?.message.content).toContain('"Good morning"');
    expect(completion.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams', async () => {
    const stream = await client.chat.completions.create({
      ...HELLO,
      stream: true,
      stream_options: { include_usage: true },
    });
    const pieces: string[] = [];
    let tokens = 0;
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '');
      tokens = chunk.usage?.completion_tokens ?? tokens;
    }
    expect(pieces.join('')).toContain('"Good morning"');
    expect(pieces.length).toBeGreaterThan(10);
    expect(tokens).toBeGreaterThan(10);
  });

  it('can be aborted in the middle of a stream, and then used again', async () => {
    const stream = await client.chat.completions.create({ ...HELLO, stream: true });
    for await (const chunk of stream) {
      if (chunk.choices[0]?.delta.content) break;
    }
    stream.controller.abort();
    expect((await client.chat.completions.create(HELLO)).choices).toHaveLength(1);
  });

  it('can be aborted before its answer', async () => {
    const leave = new AbortController();
    const call = client.chat.completions.create(HELLO, { signal: leave.signal });
    leave.abort();
    await expect(call).rejects.toThrow(APIUserAbortError);
  });
});

it('lists the engine’s models', async () => {
  const models = await client.models.list();
  expect(models.data.map(({ id }) => id)).toEqual(['demo-model']);
});

describe('errors arrive as the SDK’s own', () => {
  it('a wrong key', async () => {
    const refused = sdk({ apiKey: `gwk_${'0123456789ab'.repeat(4)}` }).chat.completions.create(HELLO);
    await expect(refused).rejects.toThrow(AuthenticationError);
    await expect(refused).rejects.toThrow('Unauthorized.');
  });

  it('an account without the role', async () => {
    const refused = sdk({ apiKey: stack.keys.admin ?? '' }).chat.completions.create(HELLO);
    await expect(refused).rejects.toThrow(PermissionDeniedError);
    await expect(refused).rejects.toThrow('no role you hold carries the right to call this endpoint');
  });

  it('an unknown endpoint', async () => {
    const refused = sdk({ endpoint: 'nowhere' }).chat.completions.create(HELLO);
    await expect(refused).rejects.toThrow(NotFoundError);
    await expect(refused).rejects.toThrow('Unknown endpoint: nowhere');
  });

  it('a refusal of the engine, untouched', async () => {
    const refused = client.chat.completions.create({ ...HELLO, messages: [] });
    await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid_request_error' });
  });
});

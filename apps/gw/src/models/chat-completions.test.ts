import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message, ModelEvent } from '../agent/types/index.ts';
import { createChatModel, type ModelSettings } from './chat-completions.ts';
import type { HttpAnswer, Post } from './http.ts';

const SETTINGS: ModelSettings = {
  name: 'Test',
  id: 'test-id',
  address: 'http://engine.test/v1/',
  contextLength: null,
  maxTokens: null,
  temperature: null,
  stallSeconds: 300,
  images: null,
  prices: null,
  key: async () => null,
};

function answered(text: string, status = 200, headers: HttpAnswer['headers'] = {}): HttpAnswer {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  return { status, headers, body: body() };
}
const DONE = JSON.stringify({ choices: [{ message: { content: 'Done.' }, finish_reason: 'stop' }] });

/** A model whose answers, or faults, are given one after the other. */
function model(given: readonly (HttpAnswer | Error)[], settings: Partial<ModelSettings> = {}) {
  const sent: { url: string; headers: Readonly<Record<string, string>>; body: string }[] = [];
  const slept: number[] = [];
  const rest = [...given];
  const post: Post = async (url, headers, body) => {
    sent.push({ url, headers, body });
    const next = rest.shift() ?? answered(DONE);
    if (next instanceof Error) throw next;
    return next;
  };
  const clock = {
    now: () => new Date(0),
    sleep: async (milliseconds: number, signal?: AbortSignal) => {
      slept.push(milliseconds);
      signal?.throwIfAborted();
    },
  };
  const chat = createChatModel({ ...SETTINGS, ...settings }, post, clock);
  const ask = async (
    messages: readonly Message[] = [],
    signal = new AbortController().signal,
  ): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = [];
    for await (const event of chat.stream({ messages, tools: [], session: 'the-session' }, signal)) events.push(event);
    return events;
  };
  return { sent, slept, ask };
}
const fault = (code: string): Error => Object.assign(new Error(code), { code });

describe('a call of the model', () => {
  it('is valid Unicode, whatever the conversation holds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: fc.constantFrom('a', '\ud83d', '\udd11', '🔑', '"', '\\') }), async (text) => {
        const { ask, sent } = model([]);
        await ask([
          { role: 'user', content: text },
          { role: 'user', content: [{ type: 'text', text }] },
          { role: 'assistant', content: text, toolCalls: [{ id: 'a', name: 'Read', arguments: text }] },
          { role: 'tool', callId: 'a', content: text },
        ]);
        const { messages } = JSON.parse(sent[0]?.body ?? '') as { messages: { content: unknown }[] };
        expect(messages.at(-1)?.content).toBe(text.toWellFormed());
        expect(sent[0]?.body).not.toMatch(/\\ud[89a-f]/i);
      }),
    );
  });
  it('has the address of the API once, and a key only where there is one', async () => {
    const [without, withKey] = [model([]), model([], { key: async () => 'the-key' })];
    await without.ask();
    await withKey.ask();
    expect(without.sent[0]?.url).toBe('http://engine.test/v1/chat/completions');
    expect(without.sent[0]?.headers).not.toHaveProperty('authorization');
    expect(withKey.sent[0]?.headers).toMatchObject({
      authorization: 'Bearer the-key',
      'x-gateway-session': 'the-session',
    });
  });
  it('asks for the key before each try, since a token may expire meanwhile', async () => {
    let count = 0;
    const { ask, sent } = model([answered('', 503)], { key: async () => `key-${(count += 1)}` });
    await ask();
    expect(sent.map(({ headers }) => headers['authorization'])).toEqual(['Bearer key-1', 'Bearer key-2']);
  });
});

describe('another try', () => {
  it('is made where nothing listens, with growing delays, four times', async () => {
    const { ask, sent, slept } = model(Array.from({ length: 9 }, () => fault('ECONNREFUSED')));
    await expect(ask()).rejects.toThrow('http://engine.test cannot be reached');
    expect([sent.length, slept]).toEqual([5, [500, 1000, 2000, 4000]]);
  });
  it.each(['ENOTFOUND', 'ETIMEDOUT', 'CERT_HAS_EXPIRED'])('is not made after %s', async (code) => {
    const { ask, sent } = model([fault(code)]);
    await expect(ask()).rejects.toMatchObject({ name: 'ModelFailed', status: null });
    expect(sent).toHaveLength(1);
  });
  it('is not made where the engine asks for a wait of more than a minute, which is named', async () => {
    const { ask, slept } = model([answered('{"error":"Busy."}', 429, { 'retry-after': '61' })]);
    await expect(ask()).rejects.toMatchObject({
      message: expect.stringMatching(/^Busy\. It takes calls again in 2 minutes \(at \d\d:\d\d\)\.$/),
      status: 429,
    });
    expect(slept).toEqual([]);
  });
  it('ends with the interruption', async () => {
    const stop = new AbortController();
    const { ask, sent } = model([answered('', 503, { 'retry-after': '1' })]);
    const asked = ask([], stop.signal);
    stop.abort(new Error('interrupted'));
    await expect(asked).rejects.toThrow('interrupted');
    expect(sent.length).toBeLessThan(2);
  });
});

describe('an error answer', () => {
  it.each([
    ['<html>Bad gateway</html>', 'http://engine.test answered 501.'],
    ['', 'http://engine.test answered 501.'],
    ['{"error":{"message":"It is out of memory."}}', 'It is out of memory.'],
    ['{"detail":"Not here."}', 'Not here.'],
    ['{"error":{}}', 'http://engine.test answered 501.'],
    ['null', 'http://engine.test answered 501.'],
  ])('%j is reported as %j', async (body, message) => {
    await expect(model([answered(body, 501)]).ask()).rejects.toMatchObject({ name: 'ModelFailed', message });
  });
  it('of any nesting is no fault of the client', async () => {
    const deep = '{"error":'.repeat(5000) + '1' + '}'.repeat(5000);
    await expect(model([answered(deep, 400)]).ask()).rejects.toMatchObject({ name: 'ModelFailed', status: 400 });
  });
});

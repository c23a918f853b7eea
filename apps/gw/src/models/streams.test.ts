import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Message, type ModelEvent, ModelFailed, ModelRefused } from '../agent/types/index.ts';
import { failureOf } from '../testing/failure.ts';
import { type Script, type ScriptedEngine, startEngine } from '../testing/scripted-engine.ts';
import { createChatModel, type ModelSettings } from './chat-completions.ts';
import { createPost } from './http.ts';

let engine: ScriptedEngine;
beforeAll(async () => {
  engine = await startEngine();
});
afterAll(async () => engine.close());

const NEVER = new AbortController().signal;
const QUESTION: readonly Message[] = [{ role: 'user', content: 'Go.' }];

/** Asks the engine over a real connection; the waits between tries are only noted. */
function asking(script: Script, change: Partial<ModelSettings> = {}, signal = NEVER) {
  engine.play(script);
  const slept: number[] = [];
  const clock = {
    now: () => new Date(0),
    sleep: async (milliseconds: number, stop?: AbortSignal) => {
      slept.push(milliseconds);
      stop?.throwIfAborted();
    },
  };
  const settings: ModelSettings = {
    name: 'Test',
    id: 'test-id',
    address: `${engine.url}/demo/v1`,
    contextLength: null,
    maxTokens: null,
    temperature: null,
    stallSeconds: 300,
    images: null,
    prices: null,
    key: async () => 'the-key',
    ...change,
  };
  const model = createChatModel(settings, createPost(new Map()), clock);
  const events: ModelEvent[] = [];
  const read = async (messages = QUESTION): Promise<readonly ModelEvent[]> => {
    const request = { messages, tools: [], session: 'the-session' };
    for await (const event of model.stream(request, signal)) events.push(event);
    return events;
  };
  return { read, events, slept };
}
const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.text : '')).join('');

describe('an answer over a connection', () => {
  it.each([
    ['in a stream', false],
    ['in one piece', true],
  ])('comes %s with its text, calls and usage', async (_, whole) => {
    const calls = [
      { name: 'Read', args: { file_path: 'ä漢🔑.txt' } },
      { name: 'List', raw: '' },
    ];
    const { read } = asking([{ text: 'Grüße, 東京 🔑!', calls, whole, usage: { input: 7, output: 9 } }]);
    const events = await read();
    expect(textOf(events)).toBe('Grüße, 東京 🔑!');
    expect(events.filter(({ type }) => type !== 'text')).toMatchObject([
      { type: 'tool-call', call: { name: 'Read', arguments: '{"file_path":"ä漢🔑.txt"}' } },
      { type: 'tool-call', call: { name: 'List', arguments: '' } },
      { type: 'usage', input: 7, output: 9 },
      { type: 'end', reason: 'tool_calls' },
    ]);
  });

  it('is asked for at the address of the model, with key, session and message', async () => {
    await asking(['Hello.'], { maxTokens: 50, temperature: 0.5 }).read();
    expect(engine.requests).toMatchObject([
      {
        path: '/demo/v1/chat/completions',
        headers: { authorization: 'Bearer the-key', 'x-gateway-session': 'the-session' },
        body: { model: 'test-id', stream: true, max_tokens: 50, temperature: 0.5, messages: QUESTION },
      },
    ]);
  });

  it('that breaks off gives what came, and then fails: it is not asked for again', async () => {
    const broken = Promise.withResolvers<void>();
    const { read, events, slept } = asking([{ text: 'One two', hold: broken.promise }, 'Again.']);
    const failed = failureOf(read());
    await expect.poll(() => textOf(events)).toBe('One two');
    broken.reject(new Error('the engine ends'));
    expect(await failed).toBe('The answer broke off: the connection was closed.');
    expect([textOf(events), slept, engine.requests.length]).toEqual(['One two', [], 1]);
  });

  it('that is interrupted keeps what came, and ends with the interruption', async () => {
    const stop = new AbortController();
    const held = Promise.withResolvers<void>();
    const { read, events } = asking([{ text: 'Begun', hold: held.promise }], {}, stop.signal);
    const interrupted = failureOf(read());
    await expect.poll(() => textOf(events)).toBe('Begun');
    stop.abort(new Error('interrupted'));
    expect(await interrupted).toBe('interrupted');
    held.resolve();
  });
});

describe('an engine that has no time', () => {
  it.each([429, 502, 503, 504])('and answers %i is asked again, after as long as it says', async (status) => {
    const { read, events, slept } = asking([{ status, headers: { 'retry-after': '3' } }, { status }, 'Done.']);
    expect(textOf(await read())).toBe('Done.');
    expect(slept).toEqual([3000, 1000]);
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
      { attempt: 1, delayMs: 3000, reason: 'The engine says no.' },
      { attempt: 2, delayMs: 1000 },
    ]);
  });

  it('is asked five times in all, and its sentence is what is shown then', async () => {
    const { read, slept } = asking(Array.from({ length: 9 }, () => ({ status: 503 })));
    const failed = read();
    await expect(failed).rejects.toThrow(ModelFailed);
    await expect(failed).rejects.toMatchObject({ message: 'The engine says no.', status: 503 });
    expect([slept, engine.requests.length]).toEqual([[500, 1000, 2000, 4000], 5]);
  });

  it.each([400, 404, 413, 501])('is not asked again where it answers %i', async (status) => {
    const { read, slept } = asking([{ status, body: '{"error":{"message":"Wrong."}}' }, 'Done.']);
    await expect(read()).rejects.toMatchObject({ message: 'Wrong.', status });
    expect([slept, engine.requests.length]).toEqual([[], 1]);
  });
});

describe('a refusal of the gateway', () => {
  it.each([
    [401, {}, false],
    [402, {}, false],
    [403, {}, false],
    [403, { 'x-gateway-session-standing': 'revoked' }, true],
    [403, { 'x-gateway-session-standing': 'in force' }, false],
  ])('with %i and the headers %j is final; the session is revoked: %j', async (status, headers, revoked) => {
    const { read } = asking([{ status, headers, body: '{"error":"Your budget is spent."}' }, 'Done.']);
    const refused = read();
    await expect(refused).rejects.toThrow(ModelRefused);
    await expect(refused).rejects.toMatchObject({ message: 'Your budget is spent.', status, revoked });
    expect(engine.requests).toHaveLength(1);
  });

  it('without a sentence names who refused', async () => {
    const { read } = asking([{ status: 403, body: '<html>' }]);
    await expect(read()).rejects.toThrow(`${engine.url} refused the call (403).`);
  });
});

describe('an image of the conversation', () => {
  const image: readonly Message[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See:' },
        { type: 'image', url: 'data:image/png;base64,AA==' },
      ],
    },
  ];
  const sent = (): unknown => engine.requests[0]?.body.messages[0]?.content;

  it('is sent to a model that takes images, or may', async () => {
    for (const images of [true, null]) {
      await asking(['Seen.'], { images }).read(image);
      expect(sent()).toEqual([
        { type: 'text', text: 'See:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ]);
    }
  });

  it('is replaced by a note, in one text, for a model that takes none', async () => {
    await asking(['Not seen.'], { images: false }).read(image);
    expect(sent()).toMatch(/^See:\n\[An image was here\./);
  });

  it('is named as a possible cause where an engine refuses the call, unless the model takes images', async () => {
    const refused = { status: 400, body: '{"error":"Bad content."}' };
    await expect(asking([refused]).read(image)).rejects.toThrow(
      /^Bad content\. The conversation holds an image\. If Test takes none, set images: false/,
    );
    await expect(asking([refused], { images: true }).read(image)).rejects.toThrow(/^Bad content\.$/);
    await expect(asking([refused]).read()).rejects.toThrow(/^Bad content\.$/);
  });
});

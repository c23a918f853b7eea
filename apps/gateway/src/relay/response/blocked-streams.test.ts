import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import { ask, HELLO, watch } from '../../testing/caller.ts';
import { TOKEN } from '../../testing/inspector.ts';
import { startWorld, type World } from '../../testing/world.ts';

const [BEGIN, REST] = [TOKEN.slice(0, 17), TOKEN.slice(17)];
const LINES = 'application/x-ndjson';
const line = (content: string): string => `${JSON.stringify({ model: 'm', message: { content }, done: false })}\n`;
const named = (payload: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${payload.type}\ndata: ${JSON.stringify(payload)}\n\n`;
const block = (text: string): string =>
  named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } });
const start = named({ type: 'message_start', message: { content: [], usage: { input_tokens: 1 } } });

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('a stream that ends before a secret, %s profile', (_, profile) => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld(profile === undefined ? {} : { profile });
  });
  afterAll(() => world.stop());

  const answers = (path: string, type: string, ...parts: string[]): void =>
    world.engine.on(path, (_request, response) => {
      response.writeHead(200, { 'content-type': type });
      for (const part of parts) response.write(part);
      response.end();
    });

  it.each([LINES, 'application/jsonl; charset=utf-8', 'application/stream+json'])(
    'ends with a line, where it consists of lines (%s)',
    async (type) => {
      answers('/lines', type, line('use '), line(BEGIN), line(`${REST} now`));
      const answer = watch(world.port, '/chat/lines', { key: world.key, body: { ...HELLO, stream: true } });
      expect(await answer.done).toBe('broken');
      const [first, ...more] = answer
        .text()
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text) as unknown);
      expect(first).toMatchObject({ message: { content: 'use ' } });
      expect(more.at(-1)).toMatchObject({
        error: 'The answer carries what looks like a secret (access-token), so it was not served.',
        code: 'secret-detected',
        kinds: ['access-token'],
      });
      expect(answer.text()).not.toContain(REST);
    },
  );

  it('is refused whole where the caller did not request it: Ollama streams lines then, too', async () => {
    answers('/unasked', LINES, line(`use ${BEGIN}`), line(`${REST} now`));
    const answer = await ask(world.port, '/chat/unasked', { key: world.key });
    expect([answer.status, answer.json]).toMatchObject([502, { code: 'secret-detected' }]);
    expect(answer.text).not.toContain(BEGIN);
  });

  it('passes unchanged where the caller did not request it and it contains no secret', async () => {
    const lines = line('use ') + line('it');
    answers('/harmless', LINES, line('use '), line('it'));
    const answer = await ask(world.port, '/chat/harmless', { key: world.key });
    expect([answer.status, answer.text]).toEqual([200, lines]);
  });

  it.each(['', ': a comment\n\n'])('ends with a named event, where events have names (%j)', async (begin) => {
    answers('/named', 'text/event-stream', begin + start, block('use '), block(BEGIN), block(`${REST} now`));
    const answer = watch(world.port, '/chat/named', { key: world.key, body: { ...HELLO, stream: true } });
    expect(await answer.done).toBe('broken');
    const last = answer.text().trimEnd().split('\n\n').at(-1) ?? '';
    expect(last).toMatch(/^event: error\ndata: \{"error":"The answer carries .*"code":"secret-detected"/);
  });

  it('ends with an unnamed event, where events have no names', async () => {
    const event = (content: string): string =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    answers('/unnamed', 'text/event-stream', event('event: '), event(TOKEN));
    const answer = watch(world.port, '/chat/unnamed', { key: world.key, body: { ...HELLO, stream: true } });
    expect(await answer.done).toBe('broken');
    expect(answer.text().trimEnd().split('\n\n').at(-1)).toMatch(/^data: \{"error":/);
  });
});

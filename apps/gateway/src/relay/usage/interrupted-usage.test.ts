import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HELLO, watch } from '../../testing/caller.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { delta, event } from './testing/answers.ts';
import { rowOf } from './testing/row-of.ts';

describe('usage', () => {
  let world: World;
  let subject: string;
  let key: string;
  let count = 0;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    subject = `subject-${(count += 1)}`;
    key = await world.account(subject);
  });

  it.each<[string, string, string[], object]>([
    [
      'response.completed',
      '/responses',
      [event({ type: 'response.completed', response: { usage: { input_tokens: 400, output_tokens: 60 } } })],
      { input_tokens: 400n, output_tokens: 60n, usage_source: 'reported', interrupted: false },
    ],
    [
      'message_stop',
      '/messages',
      [
        event({ type: 'message_start', message: { usage: { input_tokens: 25, cache_read_input_tokens: 75 } } }),
        event({ type: 'message_delta', delta: {}, usage: { output_tokens: 15 } }),
        event({ type: 'message_stop' }),
      ],
      {
        input_tokens: 100n,
        cached_input_tokens: 75n,
        output_tokens: 15n,
        usage_source: 'reported',
        interrupted: false,
      },
    ],
    [
      '[DONE]',
      '/uncounted-done',
      [delta('One two three.'), 'data: [DONE]\n\n'],
      { input_tokens: 3n, output_tokens: 4n, usage_source: 'estimated', interrupted: false },
    ],
    [
      'the beginning of a message',
      '/messages-begun',
      [
        event({ type: 'message_start', message: { usage: { input_tokens: 25, cache_read_input_tokens: 75 } } }),
        event({ type: 'content_block_delta', delta: { type: 'text_delta', text: 'One two three.' } }),
      ],
      { input_tokens: 100n, cached_input_tokens: 75n, output_tokens: 4n, usage_source: 'estimated', interrupted: true },
    ],
  ])('of a caller who leaves after %s is what the engine reported', async (_name, path, parts, expected) => {
    world.engine.on(path, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(parts.join(''));
    });
    const answer = watch(world.port, `/chat${path}`, { key, body: { ...HELLO, stream: true } });
    await answer.shows(parts.at(-1)!.trim().slice(-20));
    answer.leave();
    expect(await rowOf(world, subject)).toMatchObject(expected);
  });

  it('of an answer the provider breaks off is interrupted, and the caller sees it broken', async () => {
    const begun = '{"usage":{"prompt_tokens":3,"completion_tokens":3},"choices":[{"message":{"content":"One two three.';
    world.engine.on('/broken', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write(begun, () => response.destroy());
    });
    const answer = watch(world.port, '/chat/broken', { key });
    expect(await answer.done).toBe('broken');
    expect(answer.text()).toBe(begun);
    // Buffered data was passed on, so it counts.
    expect(await rowOf(world, subject)).toMatchObject({
      interrupted: true,
      usage_source: 'estimated',
      output_tokens: 4n,
    });
  });

  it('of a stream the provider breaks off counts what was delivered', async () => {
    world.engine.on('/broken-stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta('One two three.'), () => response.destroy());
    });
    const answer = watch(world.port, '/chat/broken-stream', { key });
    expect(await answer.done).toBe('broken');
    expect(answer.text()).toBe(delta('One two three.'));
    expect(await rowOf(world, subject)).toMatchObject({
      interrupted: true,
      usage_source: 'estimated',
      output_tokens: 4n,
    });
  });
});

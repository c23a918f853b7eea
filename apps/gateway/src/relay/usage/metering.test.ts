import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../../testing/caller.ts';
import { startWorld, type World } from '../../testing/world.ts';
import { delta, event, json, stream } from './testing/answers.ts';
import { rowOf } from './testing/row-of.ts';

/** An answer of the images API, which reports no usage, perhaps with words. */
function picture(length: number, words?: string): Buffer {
  const choices =
    words === undefined ? {} : { choices: [{ index: 0, message: { role: 'assistant', content: words } }] };
  return Buffer.from(JSON.stringify({ created: 1, ...choices, data: [{ b64_json: 'iVBORw0K'.repeat(length / 8) }] }));
}

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
  const tokens = async (): Promise<unknown[]> => {
    const { input_tokens: input, output_tokens: output, usage_source: source } = await rowOf(world, subject);
    return [input, output, source];
  };

  // relay-25
  it('is in the table before a plain answer is served', async () => {
    await ask(world.port, '/chat/x', { key });
    expect(await world.usage(subject)).toEqual([
      expect.objectContaining({
        endpoint: 'chat',
        model: 'served-model',
        input_tokens: 11n,
        output_tokens: 7n,
        usage_source: 'reported',
        interrupted: false,
      }),
    ]);
    const [entry] = await world.database.sql`select id from authorization_decisions where subject = ${subject}`;
    expect((await world.usage(subject))[0]!['id']).toBe(entry!['id']);
  });

  it('has the time to the first byte of the body, not of the head, and none without a body', async () => {
    world.engine.on('/slow-first', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      setTimeout(() => response.write(delta('One')), 300);
      setTimeout(() => response.end('data: [DONE]\n\n'), 600);
    });
    await ask(world.port, '/chat/slow-first', { key });
    const { first_token_ms: first, latency_ms: whole } = await rowOf(world, subject);
    expect(first).toBeGreaterThanOrEqual(290);
    expect(whole).toBeGreaterThanOrEqual(Number(first) + 200);
    world.engine.on('/nothing', (_, response) => response.writeHead(204).end());
    await ask(world.port, '/chat/nothing', { key: await world.account('bodyless') });
    expect(await rowOf(world, 'bodyless')).toMatchObject({ first_token_ms: null });
  });

  it.each<[string, object, unknown[]]>([
    ['the other names', { usage: { input_tokens: 31, output_tokens: 5 } }, [31n, 5n, 'reported']],
    ['embeddings', { data: [], usage: { prompt_tokens: 8, total_tokens: 8 } }, [8n, 0n, 'reported']],
    ['usage first', { usage: { prompt_tokens: 1, completion_tokens: 2 }, choices: [] }, [1n, 2n, 'reported']],
    [
      'usage words in the answer',
      {
        choices: [{ message: { content: '"usage":{"prompt_tokens":999}' } }],
        usage: { prompt_tokens: 3, completion_tokens: 4 },
      },
      [3n, 4n, 'reported'],
    ],
    [
      'a usage deeper down only',
      { choices: [], x: { usage: { prompt_tokens: 9, completion_tokens: 9 } } },
      [expect.anything(), 0n, 'estimated'],
    ],
    [
      'nonsense counts',
      { choices: [], usage: { prompt_tokens: -1, completion_tokens: '7' } },
      [expect.anything(), 0n, 'estimated'],
    ],
  ])('reads %s', async (name, body, expected) => {
    world.engine.on(`/${name.replaceAll(' ', '-')}`, json(body));
    await ask(world.port, `/chat/${name.replaceAll(' ', '-')}`, { key });
    expect(await tokens()).toEqual(expected);
  });

  it.each<[string, string[], unknown[]]>([
    [
      'the last usage of a stream',
      [
        delta('One '),
        event({ choices: [], usage: { prompt_tokens: 21, completion_tokens: 1 } }),
        delta('two.'),
        event({ choices: [], usage: { prompt_tokens: 21, completion_tokens: 9 } }),
      ],
      [21n, 9n, 'reported'],
    ],
    [
      'null usages on the way',
      [event({ choices: [], usage: null }), event({ choices: [], usage: { prompt_tokens: 2, completion_tokens: 3 } })],
      [2n, 3n, 'reported'],
    ],
    [
      'counts reported in two events',
      [
        event({ type: 'message_start', message: { usage: { input_tokens: 12, output_tokens: 1 } } }),
        event({ type: 'message_delta', delta: {}, usage: { output_tokens: 40 } }),
      ],
      [12n, 40n, 'reported'],
    ],
    [
      'a response object at the end',
      [event({ type: 'response.completed', response: { usage: { input_tokens: 5, output_tokens: 6 } } })],
      [5n, 6n, 'reported'],
    ],
  ])('reads %s', async (name, parts, expected) => {
    const path = `/stream-${name.replaceAll(' ', '-')}`;
    world.engine.on(path, stream(...parts));
    await ask(world.port, `/chat${path}`, { key, body: { ...HELLO, stream: true } });
    expect(await tokens()).toEqual(expected);
  });

  it('is read from a stream for any division of its bytes', async () => {
    const text = delta('héllo') + event({ choices: [], usage: { prompt_tokens: 4, completion_tokens: 2 } });
    world.engine.on('/cut', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const byte of Buffer.from(text)) response.write(Buffer.from([byte]));
      response.end();
    });
    const { text: got } = await ask(world.port, '/chat/cut', { key });
    expect(got).toBe(text);
    expect(await tokens()).toEqual([4n, 2n, 'reported']);
  });

  // relay-26
  it('is counted here where a stream reports none, and the body is not altered for it', async () => {
    world.engine.on('/uncounted', stream(delta('One two three '), delta('four five.')));
    await ask(world.port, '/chat/uncounted', { key, body: { ...HELLO, stream: true } });
    const [input, output, source] = await tokens();
    expect(source).toBe('estimated');
    expect(input).toBe(3n); // "Say hello."
    expect(output).toBe(6n); // "One two three four five."
    expect(JSON.parse(world.engine.received.at(-1)!.body.toString())).toEqual({
      ...HELLO,
      model: 'served-model',
      stream: true,
    });
  });

  it('is counted here where a plain answer reports none', async () => {
    world.engine.on(
      '/plain-uncounted',
      json({ choices: [{ message: { role: 'assistant', content: 'One two three.' } }] }),
    );
    await ask(world.port, '/chat/plain-uncounted', { key });
    expect(await tokens()).toEqual([3n, 4n, 'estimated']);
  });

  it.each<[string, string, Buffer, bigint]>([
    ['sound', 'audio/mpeg', Buffer.concat([Buffer.from('ID3'), Buffer.alloc(5000), Buffer.from('words')]), 0n],
    ['pictures past what is kept', 'application/json', picture(1_500_000), 0n],
    ['a picture beside words', 'application/json', picture(1_500_000, 'One two three.'), 4n],
  ])('is counted here by the text alone where an answer is %s', async (name, type, body, output) => {
    const path = `/${name.replaceAll(' ', '-')}`;
    world.engine.on(path, (_, response) => response.writeHead(200, { 'content-type': type }).end(body));
    const answer = await ask(world.port, `/chat${path}`, { key });
    expect(answer.body.equals(body)).toBe(true); // toEqual compares megabytes item by item
    const [, counted, source] = await tokens();
    expect([counted, source]).toEqual([output, 'estimated']);
  });

  it('is counted here by the text alone where lines of JSON report none, also when their caller leaves', async () => {
    const line = (content: string): string => `${JSON.stringify({ message: { content }, done: false })}\n`;
    world.engine.on('/lines', (_, response) => {
      response.writeHead(200, { 'content-type': 'application/x-ndjson' });
      response.write(line('One two ') + line('three.'));
    });
    const answer = watch(world.port, '/chat/lines', { key, body: { ...HELLO, stream: true } });
    await answer.shows('three.');
    answer.leave();
    expect(await tokens()).toEqual([3n, 4n, 'estimated']);
  });

  it.each([
    ['GET', '/responses/resp_1'],
    ['DELETE', '/responses/resp_2'],
    ['PUT', '/responses/resp_3'],
    ['POST', '/messages/count_tokens'],
    ['POST', '/messages/count_tokens?beta=true'],
    ['POST', '/models/some:countTokens'],
    // relay-27
  ])('is not metered for a request without a model: %s %s', async (method, path) => {
    world.engine.on(path.replace(/\?.*/, ''), json({ input_tokens: 9, usage: { input_tokens: 9, output_tokens: 5 } }));
    await ask(world.port, `/chat${path}`, { key, method });
    expect(await tokens()).toEqual([0n, 0n, 'none']);
  });

  it('is of a call whose query alone seems to count tokens', async () => {
    world.engine.on('/messages', json({ usage: { input_tokens: 9, output_tokens: 5 } }));
    await ask(world.port, '/chat/messages?x=/count_tokens', { key });
    expect(await tokens()).toEqual([9n, 5n, 'reported']);
  });

  it.each([
    [400, 'POST'],
    [429, 'POST'],
    [500, 'POST'],
    [200, 'GET'],
  ])('counts nothing for an answer %i to %s that reports none', async (status, method) => {
    world.engine.on('/models', json({ data: [{ id: 'a model with a long name' }] }, status));
    await ask(world.port, '/chat/models', { key, method });
    expect((await tokens()).slice(0, 2)).toEqual([0n, 0n]);
  });

  it('is not written for a call that reaches no provider', async () => {
    await world.serve(`nobody-${subject}`, { baseUrl: 'http://127.0.0.1:1' });
    const { status, json: said } = await ask(world.port, `/nobody-${subject}/x`, { key });
    expect(status).toBe(502);
    expect(said).toEqual({
      error:
        'The provider could not be reached: connect ECONNREFUSED 127.0.0.1:1. ' +
        'Check its Base URL; where it is reached through a proxy only, set HTTPS_PROXY or HTTP_PROXY.',
    });
    expect(await world.usage(subject)).toEqual([]);
  });

  it('of an answer above the buffer limit is written before its end', async () => {
    const filler = 'x'.repeat(20 * 1024 * 1024);
    world.engine.on('/huge', json({ filler, usage: { prompt_tokens: 1, completion_tokens: 2 } }));
    const answer = await ask(world.port, '/chat/huge', { key });
    expect(answer.body.length).toBeGreaterThan(filler.length);
    expect((answer.json as { filler: string }).filler === filler).toBe(true); // no difference of megabytes to be shown
    expect(await world.usage(subject)).toHaveLength(1);
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../../testing/caller.ts';
import type { EngineAnswer } from '../../testing/engine.ts';
import { eventually } from '../../testing/eventually.ts';
import { startWorld, type World } from '../../testing/world.ts';

const event = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;
const delta = (content: string): string => event({ choices: [{ index: 0, delta: { content } }] });
const json =
  (body: object, status = 200): EngineAnswer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
const stream =
  (...parts: string[]): EngineAnswer =>
  (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const part of parts) response.write(part);
    response.end('data: [DONE]\n\n');
  };

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
  /** The one row of this test's subject. */
  async function row(): Promise<Record<string, unknown>> {
    await eventually(async () => expect(await world.usage(subject)).toHaveLength(1));
    return (await world.usage(subject))[0]!;
  }
  const tokens = async (): Promise<unknown[]> => {
    const { input_tokens: input, output_tokens: output, usage_source: source } = await row();
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
    expect(await row()).toMatchObject(expected);
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
    expect(await row()).toMatchObject({ interrupted: true, usage_source: 'estimated', output_tokens: 4n });
  });

  it('of a stream the provider breaks off counts what was delivered', async () => {
    world.engine.on('/broken-stream', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(delta('One two three.'), () => response.destroy());
    });
    const answer = watch(world.port, '/chat/broken-stream', { key });
    expect(await answer.done).toBe('broken');
    expect(answer.text()).toBe(delta('One two three.'));
    expect(await row()).toMatchObject({ interrupted: true, usage_source: 'estimated', output_tokens: 4n });
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

describe('usage that cannot be written', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.stop());

  /** Locks a table for writers until the promise's function is called. */
  async function hold(table: string, mode = 'exclusive'): Promise<() => Promise<void>> {
    const held = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const transaction = world.database.sql.begin(async (sql) => {
      await sql.unsafe(`lock table ${table} in ${mode} mode`);
      held.resolve();
      await released.promise;
    });
    await held.promise;
    return async () => {
      released.resolve();
      await transaction;
    };
  }

  // relay-31
  it('keeps a plain answer back: 503, and nothing is billed', async () => {
    const key = await world.account('plain');
    const release = await hold('request_logs');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({
      error: 'This answer could not be metered, so it was not served. Nothing was billed for it either.',
    });
    expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
    expect(await world.usage('plain')).toHaveLength(1);
  });

  it('lets a stream end, and is written when the table is free again', async () => {
    const key = await world.account('streaming');
    world.engine.on('/late', stream(event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })));
    const release = await hold('request_logs');
    expect((await ask(world.port, '/chat/late', { key, body: { ...HELLO, stream: true } })).status).toBe(200);
    await release();
    await eventually(async () => expect(await world.usage('streaming')).toHaveLength(1));
  });

  // refusals-17
  it('is foreseen: where the tables of the consumption cannot be read, nothing leaves', async () => {
    const key = await world.account('foreseen');
    const before = world.engine.received.length;
    const release = await hold('usage_totals', 'access exclusive');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({
      error:
        'Usage cannot be metered right now, so the request was refused rather than served unbilled. Nothing was sent upstream.',
    });
    expect(world.engine.received).toHaveLength(before);
  });

  it('is logged for the operator, with its cause, and so is its end', async () => {
    const key = await world.account('unmetered');
    const { address } = await world.another(); // which has logged nothing yet
    const port = Number(new URL(address).port);
    const begun = world.reports.length;
    const release = await hold('usage_totals', 'access exclusive');
    expect((await ask(port, '/chat/x', { key })).status).toBe(503);
    await release();
    expect((await ask(port, '/chat/x', { key })).status).toBe(200);
    expect(world.reports.slice(begun)).toEqual([
      'DATABASE_URL: the database fails, and calls are refused with 503 meanwhile: canceling statement due to lock timeout.',
      'DATABASE_URL: the database answers again.',
    ]);
  });

  // refusals-13
  it('where roles cannot be read, nothing is decided', async () => {
    const key = await world.account('undecided');
    const release = await hold('role_assignments', 'access exclusive');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({ error: 'Authorization decision could not be made, so the request was refused.' });
  });

  it('where the approval cannot be recorded, nothing leaves, then or later', async () => {
    const key = await world.account('unrecorded');
    const before = world.engine.received.length;
    const release = await hold('authorization_decisions');
    const { status, json: said } = await ask(world.port, '/chat/x', { key });
    await release();
    expect(status).toBe(503);
    expect(said).toEqual({ error: 'Authorization decision could not be recorded, so the request was refused.' });
    await eventually(async () =>
      expect(await world.database.sql`select from authorization_decisions where reason = 'unrecorded'`).toHaveLength(1),
    );
    expect((await ask(world.port, '/chat/x', { key })).status).toBe(200);
    expect(world.engine.received).toHaveLength(before + 1);
  });
});

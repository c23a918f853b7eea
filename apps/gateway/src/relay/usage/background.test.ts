import { describe, expect, it } from 'vitest';
import type { Meter } from './meter.ts';
import { metered, sse } from './testing/metered.ts';

const USAGE = { input_tokens: 900, input_tokens_details: { cached_tokens: 100 }, output_tokens: 500 };
const COUNTS = { input: 900, cached: 100, written: 0, output: 500 };
const long = 'x '.repeat(700_000);

/** A response of OpenAI's form. */
const response = (id: string, status: string, more: object = {}): object => ({
  id,
  object: 'response',
  status,
  background: true,
  error: null,
  output: [],
  usage: null,
  ...more,
});
const started = (id: string, isEnd = false) => ({ id, isStart: true, isEnd, counts: null, partOf: null });
const ended = (id: string, counts = COUNTS) => ({ id, isStart: false, isEnd: true, counts, partOf: null });
const file = (id: string, batch: string) => ({ id, isStart: false, isEnd: false, counts: null, partOf: batch });
const shows = (meter: Meter) => [meter.metered()?.source ?? 'estimated', meter.background(false)];

const post = (payload: unknown, more: object = {}) => metered(JSON.stringify(payload), more);
const get = (path: string, payload: unknown) =>
  metered(typeof payload === 'string' ? payload : JSON.stringify(payload), { method: 'GET', path });

describe('a call that starts work in the background', () => {
  it.each<[string, object, string]>([
    ['a response', response('resp_1', 'queued'), 'resp_1'],
    ['a batch of OpenAI', { id: 'batch_1', object: 'batch', status: 'validating', usage: null }, 'batch_1'],
    [
      'a batch of Anthropic',
      { id: 'msgbatch_1', type: 'message_batch', processing_status: 'in_progress' },
      'msgbatch_1',
    ],
    ['a batch of Gemini', { name: 'batches/7', metadata: { state: 'BATCH_STATE_PENDING' } }, '7'],
    ['an interaction', { id: 'v1_a', object: 'interaction', status: 'in_progress' }, 'v1_a'],
    ['a deferred completion', { request_id: 'd-1' }, 'd-1'],
    ['an asynchronous completion', { id: 'p-1', status: 'CREATED', response: null }, 'p-1'],
  ])('records nothing and its id: %s', (_what, payload, id) => {
    expect(shows(post(payload))).toEqual(['none', [started(id)]]);
    expect(shows(post({ long, ...payload }))).toEqual(['none', [started(id)]]);
  });

  it('is billed itself for work that ended at once', () => {
    expect(shows(post(response('resp_1', 'completed', { usage: USAGE })))).toEqual([
      'reported',
      [started('resp_1', true)],
    ]);
  });

  it('may be a stream that is cut off or ends early, and has an estimate otherwise', () => {
    const events = (background: unknown) =>
      sse(
        { type: 'response.created', response: response('resp_1', 'queued', { background }) },
        { type: 'response.output_text.delta', delta: 'Here it is.' },
      );
    expect(shows(metered(events(true), { events: true }))).toEqual(['none', [started('resp_1')]]);
    expect(shows(metered(events(false), { events: true }))).toEqual(['estimated', []]);
    const request = Buffer.from('{"input":"one two", "background": true}');
    expect(shows(metered(events(undefined), { events: true, request }))).toEqual(['none', [started('resp_1')]]);
  });

  it.each([
    ['a chat completion', { id: 'c-1', choices: [], created: 1, usage: { prompt_tokens: 2 } }, 'reported'],
    ['a response', response('resp_1', 'completed', { background: false, usage: USAGE }), 'reported'],
    [
      'an answer with an id of its request',
      { id: 'c-1', request_id: 'q', choices: [{ message: { content: 'a' } }] },
      'estimated',
    ],
    ['words of a model', { id: 'c-1', choices: [{ message: { content: '"status":"queued"' } }] }, 'estimated'],
  ])('is none that gives %s', (_what, payload, source) => {
    expect(shows(post(payload))).toEqual([source, []]);
  });
});

describe('any other call', () => {
  it('shows the end of work, and costs nothing itself', () => {
    const done = response('resp_1', 'completed', { usage: USAGE });
    const path = '/v1/responses/resp_1';
    expect(shows(get(path, done))).toEqual(['none', [ended('resp_1')]]);
    expect(shows(get(path, { long, ...done }))).toEqual(['none', [ended('resp_1')]]);
    expect(shows(post(done, { path: `${path}/cancel` }))).toEqual(['none', [ended('resp_1')]]);
    expect(shows(post(done, { path }))).toEqual(['none', [ended('resp_1')]]);
    expect(shows(metered(JSON.stringify(done), { method: 'DELETE', path }))).toEqual(['none', [ended('resp_1')]]);
  });

  it.each(['queued', 'in_progress', 'finalizing', 'cancelling'])('shows no end of work that is %s', (status) => {
    expect(shows(get('/v1/responses/resp_1', response('resp_1', status, { usage: USAGE })))).toEqual(['none', []]);
  });

  it('shows no end where nothing was counted, and none of a part', () => {
    expect(shows(get('/v1/responses/resp_1', response('resp_1', 'cancelled')))).toEqual(['none', []]);
    const path = '/v1/responses/resp_1';
    const done = JSON.stringify(response('resp_1', 'completed', { usage: USAGE }));
    expect(metered(done, { method: 'GET', path, status: 206 }).background(false)).toEqual([]);
    expect(metered(done, { method: 'GET', path }).background(true)).toEqual([]);
    expect(metered(done, { method: 'GET', path, status: 404 }).background(false)).toEqual([]);
  });

  it.each([
    ['of any length', long],
    ['short', ''],
  ])('shows the end in a stream that is taken up again, %s', (_length, text) => {
    const completed = { type: 'response.completed', response: response('resp_1', 'completed', { text, usage: USAGE }) };
    const stream = sse({ type: 'response.output_text.delta', delta: 'it is.' }, completed);
    const meter = metered(stream, { method: 'GET', path: '/v1/responses/resp_1', events: true });
    expect(shows(meter)).toEqual(['none', [ended('resp_1')]]);
    expect(meter.background(true)).toEqual([ended('resp_1')]);
  });

  it('shows the end of an interaction in a stream, of a deferred completion and of an asynchronous one', () => {
    const usage = {
      total_input_tokens: 900,
      total_cached_tokens: 100,
      total_output_tokens: 400,
      total_thought_tokens: 100,
    };
    const events = sse({
      event_type: 'interaction.completed',
      interaction: { id: 'v1_a', status: 'completed', usage },
    });
    expect(shows(metered(events, { method: 'GET', path: '/v1beta/interactions/v1_a', events: true }))).toEqual([
      'none',
      [ended('v1_a')],
    ]);
    const completion = {
      id: 'c-1',
      choices: [],
      usage: { prompt_tokens: 900, completion_tokens: 500, prompt_tokens_details: { cached_tokens: 100 } },
    };
    expect(get('/v1/chat/deferred-completion/d-1', completion).background(false)).toContainEqual(ended('d-1'));
    const done = { id: 'p-1', status: 'COMPLETED', response: completion };
    expect(get('/async/chat/completions/p-1', done).background(false)).toContainEqual(ended('p-1'));
  });

  it('shows every batch of a list, and the file with the results of a batch', () => {
    const batch = (id: string, status: string, more: object) => ({ id, object: 'batch', status, ...more });
    const list = [
      batch('b1', 'completed', { usage: USAGE }),
      batch('b2', 'in_progress', {}),
      batch('b3', 'completed', { output_file_id: 'file-3' }),
    ];
    expect(shows(get('/v1/batches?limit=3', { object: 'list', data: list }))).toEqual([
      'none',
      [ended('b1'), file('file-3', 'b3')],
    ]);
    expect(shows(get('/v1/batches/b3', list[2]))).toEqual(['none', [file('file-3', 'b3')]]);
  });

  it('sums the results in a file', () => {
    const lines = (of: (usage: object) => object) =>
      [1, 2, 3].map((n) => `${JSON.stringify(of({ input_tokens: n, output_tokens: 10 * n }))}\n`).join('');
    const sum = { input: 6, cached: 0, written: 0, output: 60 };
    const openai = lines((usage) => ({
      id: 'req',
      custom_id: 'c',
      response: { status_code: 200, body: { usage } },
      error: null,
    }));
    expect(shows(get('/v1/files/file-3/content', openai))).toEqual(['none', [ended('file-3', sum)]]);
    const anthropic = lines((usage) => ({
      custom_id: 'c',
      result: { type: 'succeeded', message: { content: [{ text: long }], usage } },
    }));
    expect(shows(get('/v1/messages/batches/m1/results', anthropic))).toEqual(['none', [ended('m1', sum)]]);
    const gemini = {
      name: 'batches/7',
      done: true,
      metadata: { state: 'BATCH_STATE_SUCCEEDED' },
      response: {
        inlinedResponses: {
          inlinedResponses: [1, 2].map((n) => ({
            response: { usageMetadata: { promptTokenCount: n, candidatesTokenCount: n } },
          })),
        },
      },
    };
    expect(shows(get('/v1beta/batches/7', gemini))).toEqual([
      'none',
      [ended('7', { input: 3, cached: 0, written: 0, output: 3 })],
    ]);
  });

  it('shows nothing in a file of another kind', () => {
    expect(shows(get('/v1/files/f/content', `text ${JSON.stringify({ usage: USAGE })}`))).toEqual(['none', []]);
  });
});

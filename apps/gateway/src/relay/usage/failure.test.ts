import { describe, expect, it } from 'vitest';
import { delta, metered, sse } from './testing/metered.ts';

const FAULT = { error: { message: 'Too many requests.', type: 'rate_limit_error', code: '1302' } };
const usage = { prompt_tokens: 120, completion_tokens: 4 };
const nothing = { counts: { input: 0, cached: 0, written: 0, output: 0 }, source: 'none' };
const reported = (input: number, output: number) => ({
  counts: { input, cached: 0, written: 0, output },
  source: 'reported',
});
const long = 'x '.repeat(700_000);

describe('an error in an answer with a status of success', () => {
  it.each<[string, object]>([
    ['an object', FAULT],
    ['a text', { error: 'out of memory' }],
    ['an error of vLLM', { object: 'error', message: 'no', code: 400 }],
    ['an error of Anthropic', { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }],
    [
      'a response that failed',
      { id: 'resp_1', object: 'response', status: 'failed', error: { code: 'server_error' }, usage: null },
    ],
    ['an error of MiniMax', { choices: null, base_resp: { status_code: 1004, status_msg: 'no' } }],
    ['an error of Gemini', { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }],
    ['an error of Cohere', { text: 'a', finish_reason: 'ERROR' }],
  ])('is a failure, and costs nothing: %s', (_what, payload) => {
    for (const answer of [payload, { long, ...payload }]) {
      const meter = metered(JSON.stringify(answer));
      expect([meter.hasFailed, meter.metered()]).toEqual([true, nothing]);
    }
    const array = metered(JSON.stringify([payload]));
    expect([array.hasFailed, array.metered()]).toEqual([true, nothing]);
    for (const events of [
      sse(payload),
      sse(delta('Here '), delta('it '), payload),
      sse(delta('Here '), payload, '[DONE]'),
    ]) {
      const meter = metered(events, { events: true, size: 7 });
      expect([meter.hasFailed, meter.metered()]).toEqual([true, nothing]);
    }
  });

  it.each([
    ['of the type error', `event: error\ndata: it broke\n\n`],
    ['of that type without a blank', `event:error\r\ndata:{"message":"x"}\r\n\r\n`],
    ['of a choice', sse(delta('a'), { choices: [{ delta: {}, finish_reason: 'error' }] })],
    ['of several lines', 'data: {"error":\ndata: {"message":"x"}}\n\n'],
    ['of a response', sse({ type: 'response.failed', response: { status: 'failed', error: null } })],
    ['of an interaction', sse({ event_type: 'error', error: { message: 'x' } })],
    ['of Cohere', sse({ type: 'message-end', delta: { finish_reason: 'ERROR', error: 'x' } })],
  ])('may be an event %s', (_what, events) => {
    const meter = metered(events, { events: true });
    expect([meter.hasFailed, meter.metered()]).toEqual([true, nothing]);
  });

  it('may be a line', () => {
    const meter = metered('{"message":{"content":"a"},"done":false}\n{"error":"an error was encountered"}\n');
    expect([meter.hasFailed, meter.metered()]).toEqual([true, nothing]);
  });

  it('costs the tokens that the engine reports (relay-39)', () => {
    expect(metered(JSON.stringify({ ...FAULT, usage })).metered()).toEqual(reported(120, 4));
    const start = { type: 'message_start', message: { usage: { input_tokens: 25, output_tokens: 0 } } };
    const events = sse(
      start,
      { type: 'content_block_delta', delta: { text: 'Here' } },
      { type: 'error', error: { type: 'overloaded_error' } },
    );
    expect(metered(events, { events: true }).metered()).toEqual(reported(25, 0));
  });

  it('is named by its type and code, never by its sentence', () => {
    expect(metered(JSON.stringify(FAULT)).failure).toBe('rate_limit_error, 1302');
    expect(metered(JSON.stringify({ error: 'key sk-123 is wrong' })).failure).toBe('');
    expect(metered(JSON.stringify({ error: { type: 'a sentence with a prompt' } })).failure).toBe('');
  });

  it.each<[string, string, boolean]>([
    ['a member without one', JSON.stringify({ error: null, choices: [], usage }), false],
    ['an empty one', JSON.stringify({ error: {}, choices: [], usage }), false],
    ['members of an error without values', JSON.stringify({ error: { code: null, message: '' }, usage }), false],
    [
      'a text about errors',
      JSON.stringify({ choices: [{ message: { content: `event: error\ndata: ${JSON.stringify(FAULT)}` } }], usage }),
      false,
    ],
    [
      'the arguments of a call',
      JSON.stringify({ choices: [{ message: { content: { error: { a: 1 }, status: 'failed' } } }], usage }),
      false,
    ],
    [
      'a text about errors in a stream',
      sse(delta(JSON.stringify(FAULT)), delta('event: error\n'), delta('error'), { choices: [], usage }),
      true,
    ],
    [
      'members without one in a stream',
      sse({ ...delta('a'), error: null }, { choices: [], error: false, usage }),
      true,
    ],
    ['a success of MiniMax', sse(delta('a'), { choices: [], base_resp: { status_code: 0 }, usage }), true],
  ])('is none: %s', (_what, answer, events) => {
    const meter = metered(answer, { events });
    expect([meter.hasFailed, meter.metered()]).toEqual([false, reported(120, 4)]);
  });

  it('is none of an answer whose status says so, nor in the state of work that failed', () => {
    expect(metered(JSON.stringify(FAULT), { status: 429 }).hasFailed).toBe(false);
    const failed = JSON.stringify({ id: 'resp_1', status: 'failed', error: { code: 'server_error' } });
    expect(metered(failed, { method: 'GET', path: '/v1/responses/resp_1' }).hasFailed).toBe(false);
  });
});

import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineBlocks } from './meter.ts';
import { delta, metered, sse } from './testing/metered.ts';

const GEMINI = [
  {
    candidates: [{ content: { parts: [{ text: 'Here ' }] } }],
    usageMetadata: { promptTokenCount: 90, candidatesTokenCount: 2 },
  },
  {
    candidates: [{ content: { parts: [{ text: 'it is.' }] }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: 90,
      candidatesTokenCount: 9,
      thoughtsTokenCount: 4,
      cachedContentTokenCount: 30,
    },
  },
];
const timings = { cache_n: 236, prompt_n: 35, predicted_n: 22 };
const long = 'x '.repeat(700_000);
const completed = {
  type: 'response.completed',
  response: {
    output: [{ content: [{ type: 'output_text', text: `${long}"usage":{}` }] }],
    usage: { input_tokens: 400, input_tokens_details: { cached_tokens: 128 }, output_tokens: 60 },
  },
};

describe('the meter', () => {
  it.each<[string, string, boolean, object]>([
    ['Gemini as events', sse(...GEMINI), true, { input: 90, cached: 30, output: 13 }],
    ['Gemini as an array', JSON.stringify(GEMINI, null, 2), false, { input: 90, cached: 30, output: 13 }],
    ['Gemini', JSON.stringify(GEMINI[1]), false, { input: 90, cached: 30, output: 13 }],
    [
      'Gemini with tools',
      JSON.stringify({ usageMetadata: { promptTokenCount: 5, toolUsePromptTokenCount: 3 } }),
      false,
      { input: 8 },
    ],
    [
      'timings in a stream',
      sse(delta('a'), { choices: [{ delta: {}, finish_reason: 'stop' }], timings }, '[DONE]'),
      true,
      { input: 271, cached: 236, output: 22 },
    ],
    [
      'timings before a usage',
      JSON.stringify({ choices: [], timings, usage: { prompt_tokens: 271, completion_tokens: 22 } }),
      false,
      { input: 271, cached: 236, output: 22 },
    ],
    ['timings alone', JSON.stringify({ choices: [], timings }), false, { input: 271, cached: 236, output: 22 }],
    [
      'Ollama, not streamed',
      JSON.stringify({ message: { content: 'a' }, done: true, prompt_eval_count: 26, eval_count: 12 }),
      false,
      { input: 26, output: 12 },
    ],
    [
      'an event of more than a megabyte',
      sse({ type: 'response.created', response: { usage: null } }, completed),
      true,
      { input: 400, cached: 128, output: 60 },
    ],
    [
      'an answer of more than a megabyte',
      JSON.stringify(completed.response),
      false,
      { input: 400, cached: 128, output: 60 },
    ],
    [
      'a usage first, and then much',
      JSON.stringify({ usage: { prompt_tokens: 5, completion_tokens: 6 }, data: long.slice(0, 90_000) }),
      false,
      { input: 5, output: 6 },
    ],
    [
      'a usage below another member',
      JSON.stringify({ usage: { prompt_tokens: 5, completion_tokens: 6 }, x: { usage: { prompt_tokens: 9 } } }),
      false,
      { input: 5, output: 6 },
    ],
    [
      'more cached than there is',
      JSON.stringify({
        usage: { prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 9 } },
      }),
      false,
      { input: 5, cached: 5, output: 6 },
    ],
    [
      'more written than there is',
      JSON.stringify({
        usage: {
          prompt_tokens: 5,
          completion_tokens: 6,
          prompt_tokens_details: { cached_tokens: 4 },
          cache_creation_input_tokens: 3,
        },
      }),
      false,
      { input: 5, cached: 4, written: 1, output: 6 },
    ],
    [
      'a last event that reports nothing read',
      sse(
        {
          type: 'message_start',
          message: { usage: { input_tokens: 25, cache_read_input_tokens: 75, output_tokens: 1 } },
        },
        { type: 'message_delta', delta: {}, usage: { input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 15 } },
        { type: 'message_stop' },
      ),
      true,
      { input: 100, cached: 75, output: 15 },
    ],
    [
      'a first event that reports nothing read',
      sse(
        { type: 'message_start', message: { usage: { input_tokens: 0, output_tokens: 0 } } },
        {
          type: 'message_delta',
          delta: {},
          usage: { input_tokens: 25, cache_read_input_tokens: 75, output_tokens: 15 },
        },
        { type: 'message_stop' },
      ),
      true,
      { input: 100, cached: 75, output: 15 },
    ],
    [
      'a last event of a fully cached prompt',
      sse(
        { type: 'message_start', message: { usage: { input_tokens: 100, output_tokens: 1 } } },
        {
          type: 'message_delta',
          delta: {},
          usage: { input_tokens: 0, cache_read_input_tokens: 100, output_tokens: 15 },
        },
      ),
      true,
      { input: 100, cached: 100, output: 15 },
    ],
    [
      'a usage that is split over events',
      sse(
        { choices: [], usage: { prompt_tokens: 30 } },
        delta('a'),
        { choices: [], usage: { completion_tokens: 4 } },
        { choices: [], usage: null },
        '[DONE]',
      ),
      true,
      { input: 30, output: 4 },
    ],
    [
      'counts so far in every event',
      sse(
        { choices: [{ delta: { content: 'a' } }], usage: { prompt_tokens: 30, completion_tokens: 1 } },
        { choices: [{ delta: { content: 'b' } }], usage: { prompt_tokens: 30, completion_tokens: 2 } },
        { choices: [], usage: { prompt_tokens: 30, completion_tokens: 3 } },
      ),
      true,
      { input: 30, output: 3 },
    ],
    [
      'a count beside one that no answer can have',
      sse(
        { choices: [], usage: { prompt_tokens: 30, completion_tokens: 4 } },
        { choices: [], usage: { prompt_tokens: -1, completion_tokens: 9007199254740991 } },
      ),
      true,
      { input: 30, output: 4 },
    ],
    [
      'a model that writes of usage',
      sse(delta('{"usage":{"prompt_tokens":999999}}\n\ndata: {"usage":{"prompt_tokens":999999}}\n\n'), {
        choices: [],
        usage: { prompt_tokens: 5, completion_tokens: 6 },
      }),
      true,
      { input: 5, output: 6 },
    ],
    [
      'events without their content type',
      sse(delta('a'), { choices: [], usage: { prompt_tokens: 5, completion_tokens: 6 } }, '[DONE]'),
      false,
      { input: 5, output: 6 },
    ],
    // relay-28
  ])('reads %s, for any division', (_, answer, events, expected) => {
    for (const size of answer.length > 1_000_000 ? [0, 65_536] : [0, 1, 7, 1000]) {
      expect(metered(answer, { size, events }).metered(), `in parts of ${size}`).toEqual({
        counts: { cached: 0, written: 0, output: 0, ...expected },
        source: 'reported',
      });
    }
  });

  it('reads a stream of any length, with its counts at any position', () => {
    const count = fc.integer({ min: 1, max: 1_000_000_000 });
    const event = fc.oneof(
      fc.string({ maxLength: 300 }).map((text) => delta(text)),
      fc.record({
        choices: fc.constant([]),
        usage: fc.record({ prompt_tokens: count, completion_tokens: count }),
      }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 400 }), fc.integer({ min: 1, max: 9000 }), (list, size) => {
        const last = list.findLast((one) => 'usage' in one);
        const reported = metered(sse(...list, '[DONE]'), { size, events: true }).metered()?.counts;
        const expected = last && 'usage' in last ? last.usage : undefined;
        expect([reported?.input, reported?.output]).toEqual([expected?.prompt_tokens, expected?.completion_tokens]);
      }),
      { numRuns: 60 },
    );
  });

  it.each<[string, string, boolean, boolean]>([
    ['[DONE]', sse(delta('a'), '[DONE]'), true, true],
    ['[DONE] and comments', `${sse(delta('a'), '[DONE]')}: ping\n\n`, true, true],
    ['a usage chunk', sse({ choices: [], usage: { prompt_tokens: 1 } }), true, true],
    ['a usage chunk with the reason', sse({ choices: [{ finish_reason: 'stop' }], usage: {} }), true, true],
    ['a usage in every chunk', sse({ ...delta('a'), usage: { prompt_tokens: 1 } }), true, false],
    ['a text that says [DONE]', sse(delta('data: [DONE]\n\n')), true, false],
    ['response.incomplete', sse({ type: 'response.incomplete', response: { usage: null } }), true, true],
    ['an event of more than a megabyte', sse(completed), true, true],
    ['half of one', sse(completed).slice(0, 1_200_000), true, false],
    ['message_stop', sse({ type: 'message_stop' }), true, true],
    ['message_delta', sse({ type: 'message_delta', usage: { output_tokens: 5 } }), true, false],
    ['Gemini’s last', sse(...GEMINI), true, true],
    ['Ollama’s last', '{"done":false}\n{"done":true,"eval_count":3,"prompt_eval_count":4}\n', false, true],
    ['Ollama’s first', '{"message":{"content":"a"},"done":false}\n', false, false],
    // relay-29
  ])('detects whether an answer is complete: %s', (_, answer, events, whole) => {
    expect(metered(answer, { events }).isWhole()).toBe(whole);
  });

  it.each([400, 429, 500])('counts nothing for a refusal of the engine (%i), unless it reports some', (status) => {
    expect(metered('{"error":{"message":"no"}}', { status }).metered()).toMatchObject({ source: 'none' });
    expect(metered('{"usage":{"prompt_tokens":3}}', { status }).metered()).toMatchObject({ counts: { input: 3 } });
  });

  it.each([
    '/messages/count_tokens',
    '/messages/count_tokens?x',
    '/models/a:countTokens',
    '/v1/responses/input_tokens',
    '/tokenize',
    '/detokenize',
  ])('reads nothing of %s', (path) => {
    expect(metered('{"usage":{"prompt_tokens":3}}', { path }).metered()).toMatchObject({ source: 'none' });
  });
  it.each(['/messages?/count_tokens', '/messages#/count_tokens', '/count_tokens/x'])('meters %s', (path) => {
    expect(metered('{"usage":{"prompt_tokens":3}}', { path }).metered()).toMatchObject({ source: 'reported' });
  });
});

const NOTHING = { block: () => {}, part: () => {}, partsEnd: () => {} };

describe('the lines of a stream', () => {
  it('are complete for any division of the bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{0,9}$/)), fc.array(fc.nat()), (lines, places) => {
        const text = lines.map((line) => `${line}\n`).join('');
        const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
        const blocks: string[] = [];
        const reader = new LineBlocks({ ...NOTHING, block: (lines) => blocks.push(lines.toString()) });
        for (const [index, from] of cuts.slice(0, -1).entries())
          reader.push(Buffer.from(text.slice(from, cuts[index + 1])));
        reader.end();
        expect(blocks.join('')).toBe(text);
        expect(blocks.every((block) => block.endsWith('\n'))).toBe(true);
      }),
    );
  });
  it('come in parts where one exceeds the bound, and continue after it', () => {
    const blocks: string[] = [];
    let parts = 0;
    const reader = new LineBlocks({
      block: (lines) => blocks.push(lines.toString()),
      part: (bytes) => {
        parts += bytes.length;
      },
      partsEnd: () => blocks.push(`<${parts}>`),
    });
    for (let index = 0; index < 20; index += 1) reader.push(Buffer.alloc(100_000, 'x'));
    reader.push(Buffer.from('tail\nnext\nlast'));
    reader.end();
    expect(blocks).toEqual(['<2000005>', 'next\n', 'last']);
  });
});

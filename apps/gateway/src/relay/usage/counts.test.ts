import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Fields } from './api.ts';
import { completes, MARKS, READ_MEMBERS } from './apis.ts';
import { type ReportedCounts, UsageReading } from './counts.ts';

function readingOf(...payloads: readonly Fields[]): UsageReading {
  const reading = new UsageReading();
  for (const payload of payloads) reading.read(payload);
  return reading;
}

const counts = (input: number | null, output: number | null, cached = 0, written = 0): ReportedCounts => ({
  input,
  cached,
  written,
  output,
});

/** Answers and last events of real engines, with the counts to bill. */
const REPORTS: readonly (readonly [engine: string, payload: Fields, expected: ReportedCounts])[] = [
  [
    'OpenAI chat completions',
    {
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 64, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 12 },
      },
    },
    counts(100, 20, 64),
  ],
  [
    'OpenAI responses, streamed',
    {
      type: 'response.completed',
      response: { usage: { input_tokens: 50, input_tokens_details: { cached_tokens: 10 }, output_tokens: 7 } },
    },
    counts(50, 7, 10),
  ],
  [
    'Anthropic messages, plain',
    {
      type: 'message',
      usage: {
        input_tokens: 5,
        cache_read_input_tokens: 1000,
        cache_creation_input_tokens: 200,
        cache_creation: { ephemeral_5m_input_tokens: 200 },
        output_tokens: 30,
      },
    },
    counts(1205, 30, 1000, 200),
  ],
  [
    'Anthropic messages read wholly from a cache',
    { usage: { input_tokens: 0, cache_read_input_tokens: 900, cache_creation_input_tokens: 0, output_tokens: 3 } },
    counts(900, 3, 900),
  ],
  [
    'DeepSeek',
    {
      usage: { prompt_tokens: 40, prompt_cache_hit_tokens: 32, prompt_cache_miss_tokens: 8, completion_tokens: 9 },
    },
    counts(40, 9, 32),
  ],
  [
    'Moonshot',
    { usage: { prompt_tokens: 19, completion_tokens: 21, total_tokens: 40, cached_tokens: 10 } },
    counts(19, 21, 10),
  ],
  [
    'Mistral',
    {
      usage: {
        prompt_tokens: 801,
        completion_tokens: 2,
        num_cached_tokens: 768,
        prompt_tokens_details: { cached_tokens: 0 },
        prompt_token_details: { cached_tokens: 768 },
      },
    },
    counts(801, 2, 768),
  ],
  [
    'Mistral, with the details of the second name alone',
    { usage: { prompt_tokens: 801, completion_tokens: 2, prompt_token_details: { cached_tokens: 768 } } },
    counts(801, 2, 768),
  ],
  [
    'Qwen on Alibaba Cloud, written to a cache',
    {
      usage: {
        prompt_tokens: 1494,
        completion_tokens: 5,
        prompt_tokens_details: { cached_tokens: 0, cache_creation_input_tokens: 1494, cache_type: 'ephemeral' },
      },
    },
    counts(1494, 5, 0, 1494),
  ],
  [
    'Converse of Bedrock',
    {
      output: { message: { role: 'assistant', content: [{ text: 'Hello.' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 30, outputTokens: 628, totalTokens: 658, serverToolUsage: {} },
      metrics: { latencyMs: 1275 },
    },
    counts(30, 628),
  ],
  [
    'Converse of Bedrock with a cache, whose counts are not in the input',
    {
      stopReason: 'tool_use',
      usage: {
        inputTokens: 2,
        cacheReadInputTokens: 13_923,
        cacheWriteInputTokens: 7262,
        outputTokens: 80,
        totalTokens: 21_267,
      },
    },
    counts(21_187, 80, 13_923, 7262),
  ],
  [
    'embeddings of Vertex AI',
    {
      predictions: [
        { embeddings: { values: [0.1], statistics: { token_count: 4, truncated: false } } },
        { embeddings: { values: [0.2], statistics: { token_count: 7, truncated: false } } },
      ],
      metadata: { billableCharacterCount: 40 },
    },
    counts(11, null),
  ],
  ['an embedding service', { data: [], usage: { prompt_tokens: 8, total_tokens: 8 } }, counts(8, null)],
  ['an embedding service with a total alone', { usage: { total_tokens: 8 } }, counts(8, null)],
  [
    'xAI, whose reasoning is in the total alone',
    {
      choices: [],
      usage: {
        prompt_tokens: 32,
        completion_tokens: 9,
        total_tokens: 2865,
        completion_tokens_details: { reasoning_tokens: 2824 },
      },
    },
    counts(32, 2833),
  ],
  [
    'a total below its parts',
    { usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 56 } },
    counts(100, 20),
  ],
  [
    'Moonshot, streamed',
    { choices: [{ delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 2989, completion_tokens: 41 } }] },
    counts(2989, 41),
  ],
  [
    'several choices with usage of their own',
    {
      choices: [
        { usage: { prompt_tokens: 10, completion_tokens: 4 } },
        { usage: { prompt_tokens: 10, completion_tokens: 5 } },
      ],
    },
    counts(10, 9),
  ],
  [
    'Anthropic messages after a compaction',
    {
      usage: {
        input_tokens: 10,
        cache_read_input_tokens: 500,
        cache_creation_input_tokens: 0,
        output_tokens: 30,
        iterations: [
          {
            type: 'compaction',
            input_tokens: 150,
            cache_read_input_tokens: 450,
            cache_creation_input_tokens: 400,
            output_tokens: 90,
          },
          { type: 'message', input_tokens: 10, cache_read_input_tokens: 500, output_tokens: 30 },
        ],
      },
    },
    counts(1510, 120, 950, 400),
  ],
  ['Ollama’s embeddings', { model: 'm', embeddings: [[0.1]], prompt_eval_count: 8 }, counts(8, null)],
  [
    'Cohere, by what is billed',
    {
      text: 'x',
      meta: { billed_units: { input_tokens: 70, output_tokens: 23 }, tokens: { input_tokens: 81, output_tokens: 30 } },
    },
    counts(70, 23),
  ],
  ['Cohere, by its tokens', { text: 'x', meta: { tokens: { input_tokens: 81, output_tokens: 19 } } }, counts(81, 19)],
  [
    'Cohere, streamed',
    { event_type: 'stream-end', response: { meta: { billed_units: { input_tokens: 7, output_tokens: 2 } } } },
    counts(7, 2),
  ],
  [
    'Cohere’s second version',
    { message: {}, usage: { billed_units: { input_tokens: 5, output_tokens: 6 }, cached_tokens: 2 } },
    counts(5, 6, 2),
  ],
  [
    'Cohere’s second version, streamed',
    {
      type: 'message-end',
      delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 5, output_tokens: 6 } } },
    },
    counts(5, 6),
  ],
  [
    'an interaction of Gemini',
    {
      id: 'v1_a',
      usage: {
        total_input_tokens: 2455,
        total_cached_tokens: 100,
        total_output_tokens: 65,
        total_thought_tokens: 200,
        total_tool_use_tokens: 7,
        total_tokens: 2727,
      },
    },
    counts(2462, 265, 100),
  ],
  [
    'an interaction of Gemini, streamed',
    {
      event_type: 'interaction.completed',
      interaction: { usage: { total_input_tokens: 31, total_output_tokens: 17 } },
    },
    counts(31, 17),
  ],
  ['Groq, streamed', { choices: [], x_groq: { usage: { prompt_tokens: 3, completion_tokens: 4 } } }, counts(3, 4)],
  [
    'Gemini',
    {
      candidates: [],
      usageMetadata: {
        promptTokenCount: 10,
        toolUsePromptTokenCount: 5,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 6,
        thoughtsTokenCount: 20,
        totalTokenCount: 41,
      },
    },
    counts(15, 26, 4),
  ],
  ['Gemini that only thought', { usageMetadata: { promptTokenCount: 10, thoughtsTokenCount: 20 } }, counts(10, 20)],
  [
    'Ollama',
    { model: 'm', done: true, prompt_eval_count: 26, eval_count: 298, eval_duration: 4_799_921_000 },
    counts(26, 298),
  ],
  [
    'Ollama whose prompt was in its cache',
    { done: true, eval_count: 298, eval_duration: 4_799_921_000 },
    counts(null, 298),
  ],
  ['llama.cpp', { content: '', stop: true, tokens_predicted: 12, tokens_evaluated: 30 }, counts(30, 12)],
  [
    'llama.cpp by its timings',
    { choices: [], timings: { prompt_n: 2, cache_n: 28, predicted_n: 12, predicted_ms: 1.5 } },
    counts(30, 12, 28),
  ],
  [
    'llama.cpp with usage and timings',
    { usage: { prompt_tokens: 30, completion_tokens: 12 }, timings: { prompt_n: 2, predicted_n: 11 } },
    counts(30, 12),
  ],
];

/** The payload with only the member at a path: how a long answer is read. */
function only(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return value;
  if (name === '*') return Array.isArray(value) ? value.map((one) => only(one, rest)) : undefined;
  const inner = typeof value === 'object' && value !== null ? only((value as Fields)[name], rest) : undefined;
  return inner === undefined ? undefined : { [name]: inner };
}

describe('the reported tokens', () => {
  it.each(REPORTS)('of %s are those of the engine (relay-40)', (_engine, payload, expected) => {
    expect(readingOf(payload).reported).toEqual(expected);
  });

  it.each(REPORTS)(
    'of %s are the same where an answer is too long to be parsed whole',
    (_engine, payload, expected) => {
      expect(
        readingOf(...READ_MEMBERS.map((path) => (only(payload, path.split('.')) ?? {}) as Fields)).reported,
      ).toEqual(expected);
    },
  );

  it.each(REPORTS)('of %s are found by the names that a stream is searched for', (_engine, payload) => {
    const text = JSON.stringify(payload);
    expect(MARKS.some(({ bytes }) => text.includes(bytes.toString()))).toBe(true);
  });

  it.each([
    { type: 'duration', seconds: 12 },
    { credits_used: 4000, requests: 900 },
    { total_tokens: 50, credits: 3 },
    { tokens_in: 20, tokens_out: 30, total_tokens: 50 },
    { billed_units: { search_units: 1 } },
  ])('of a usage object in other names are not read: %j', (usage) => {
    expect(readingOf({ choices: [], usage }).reported).toEqual(counts(null, null));
  });

  it.each([
    ['a negative number', -1],
    ['a fraction', 1.5],
    ['a number beyond any call', 1_000_000_001],
    ['no number', Number.NaN],
    ['a text', '12'],
    ['null', null],
    ['a list', [12]],
    ['an object', { value: 12 }],
    ['true', true],
  ])('ignore %s in any member', (_what, value) => {
    const odd = (payload: unknown): unknown => {
      if (typeof payload === 'number') return value;
      if (Array.isArray(payload)) return payload.map(odd);
      if (typeof payload !== 'object' || payload === null) return payload;
      return Object.fromEntries(Object.entries(payload).map(([name, one]) => [name, odd(one)]));
    };
    for (const [, payload] of REPORTS) expect(readingOf(odd(payload) as Fields).reported).toEqual(counts(null, null));
  });

  it('of several events are the last of each, where the first reports the input and the last the output', () => {
    const started = {
      type: 'message_start',
      message: { usage: { input_tokens: 25, cache_read_input_tokens: 75, output_tokens: 1 } },
    };
    const delta = { type: 'message_delta', delta: {}, usage: { output_tokens: 15 } };
    expect(readingOf(started).reported).toEqual(counts(100, 1, 75));
    expect(readingOf(started, delta).reported).toEqual(counts(100, 15, 75));
    expect(readingOf(started, delta, { type: 'message_stop' }).isWhole).toBe(true);
  });

  it('remain where later events report zeros', () => {
    const zeros = { usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } };
    expect(readingOf({ usage: { prompt_tokens: 7, completion_tokens: 3 } }, zeros).reported).toEqual(counts(7, 3));
    expect(readingOf(zeros).reported).toEqual(counts(0, 0));
    expect(readingOf(zeros, { usage: { prompt_tokens: 7, completion_tokens: 3 } }).reported).toEqual(counts(7, 3));
  });

  it('of the engine’s own form yield to those of a common one, in either order', () => {
    const [own, common] = [
      { prompt_eval_count: 1, eval_count: 2 },
      { usage: { prompt_tokens: 10, completion_tokens: 20 } },
    ];
    expect(readingOf(own, common).reported).toEqual(counts(10, 20));
    expect(readingOf(common, own).reported).toEqual(counts(10, 20));
  });
});

describe('any sequence of payloads', () => {
  const names = [
    'usage',
    'message',
    'response',
    'x_groq',
    'usageMetadata',
    'timings',
    'choices',
    'candidates',
    'type',
    'done',
    'prompt_tokens',
    'input_tokens',
    'completion_tokens',
    'output_tokens',
    'total_tokens',
    'cache_read_input_tokens',
    'cache_creation_input_tokens',
    'prompt_tokens_details',
    'cached_tokens',
    'promptTokenCount',
    'prompt_eval_count',
    'eval_count',
    'tokens_evaluated',
    'tokens_predicted',
    'prompt_n',
    'cache_n',
    'predicted_n',
    '__proto__',
    'constructor',
  ];
  const value = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom(0, 1, 500, 1e9, -5, 2.5, 1e12, null, true, 'text', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 6 }),
    ),
  })).value;
  const payload = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 8 }) as fc.Arbitrary<Fields>;

  it('gives counts that a record can hold: whole, not negative, and no more cached than read', () => {
    fc.assert(
      fc.property(fc.array(payload, { maxLength: 4 }), (payloads) => {
        const { input, cached, written, output } = readingOf(...payloads).reported;
        for (const count of [input ?? 0, cached, written, output ?? 0]) {
          expect(Number.isSafeInteger(count)).toBe(true);
          expect(count).toBeGreaterThanOrEqual(0);
        }
        expect(cached + written).toBeLessThanOrEqual(input ?? 0);
      }),
      { numRuns: 500 },
    );
  });
});

describe('the whole answer has arrived', () => {
  it.each<[Fields, boolean]>([
    [{ choices: [], usage: { prompt_tokens: 1 } }, true],
    [{ choices: [{ finish_reason: 'stop' }], usage: {} }, true],
    [{ choices: [{ finish_reason: null }], usage: {} }, false],
    [{ choices: [{ finish_reason: 'stop' }], usage: null }, false],
    [{ choices: 'none', usage: {} }, false],
    [{ choices: [null, 'x'], usage: {} }, false],
    [{ type: 'response.completed' }, true],
    [{ type: 'response.incomplete' }, true],
    [{ type: 'response.failed' }, true],
    [{ type: 'response.output_text.done' }, false],
    [{ type: 'message_stop' }, true],
    [{ type: 'message_delta' }, false],
    [{ type: ['message_stop'] }, false],
    [{ candidates: [{ finishReason: 'STOP' }], usageMetadata: {} }, true],
    [{ candidates: [{ finishReason: 'STOP' }] }, false],
    [{ candidates: [{}], usageMetadata: {} }, false],
    [{ done: true }, true],
    [{ done: 'true' }, false],
    [{ stop: true }, true],
    [{ stop: 1 }, false],
    [{}, false],
  ])('with %j: %s', (payload, isWhole) => {
    expect(completes(payload)).toBe(isWhole);
  });
});

it('outputs of choices that a stream reports one by one add up, each as it was reported last', () => {
  const event = (index: number, completion: number): Fields => ({
    choices: [{ index, delta: {}, usage: { prompt_tokens: 19, completion_tokens: completion, cached_tokens: 10 } }],
  });
  expect(readingOf(event(0, 3), event(1, 7), event(0, 5)).reported).toEqual(counts(19, 12, 10));
});

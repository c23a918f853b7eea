import { describe, expect, it } from 'vitest';
import { failureOf } from './failure.ts';

const failure = (error: unknown) => failureOf({ error }, 'The sentence.', 400);

describe('an error of an engine', () => {
  it.each<[string, object | string, number | null]>([
    [
      'OpenAI',
      {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
      8192,
    ],
    [
      'vLLM',
      {
        object: 'error',
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
        code: 400,
      },
      4096,
    ],
    [
      'a later vLLM',
      "You passed 9001 input tokens and requested 100 output tokens. However, the model's context length is only 8192 tokens.",
      8192,
    ],
    [
      'llama.cpp',
      {
        code: 400,
        message: 'request (9001 tokens) exceeds the available context size (4096 tokens), try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 9001,
        n_ctx: 4096,
      },
      4096,
    ],
    [
      'an earlier llama.cpp',
      { code: 400, message: 'the request exceeds the available context size. try increasing the context size' },
      null,
    ],
    [
      'Anthropic',
      { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
      200_000,
    ],
    [
      'Mistral',
      {
        message:
          'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      },
      32_768,
    ],
    [
      'Gemini',
      { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' },
      1_048_576,
    ],
    ['another one, by its code alone', { code: 'context_length_exceeded', message: 'No.' }, null],
  ])('tells that the conversation is too long: %s', (_, error, tokens) => {
    expect(failure(error)).toMatchObject({ name: 'ContextExceeded', message: 'The sentence.', status: 400, tokens });
  });

  it.each<[unknown]>([
    [{ message: 'max_tokens is too large: 100000. This model supports at most 4096 completion tokens.' }],
    [{ message: 'Invalid schema for function Read.', code: 'invalid_function_parameters' }],
    ['Unknown model.'],
    [null],
    [7],
  ])('of another kind is a fault: %j', (error) => {
    expect(failure(error)).toMatchObject({ name: 'ModelFailed', message: 'The sentence.', status: 400 });
  });

  it('counts no tokens where the number is none', () => {
    expect(failure({ code: 'context_length_exceeded', n_ctx: -1 })).toMatchObject({ tokens: null });
    expect(failure({ code: 'context_length_exceeded', n_ctx: '9'.repeat(40) })).toMatchObject({ tokens: null });
  });
});

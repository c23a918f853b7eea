/** An answer as an engine writes it: its head, the parts of its body in order, and its reported usage. */
export interface Transcript {
  readonly name: string;
  readonly path: string;
  /** Without the line of the status, and without what frames the body. */
  readonly head: string;
  readonly parts: readonly string[];
  /** Tokens in and out; null where the engine reports none. */
  readonly used: readonly [bigint, bigint] | null;
}

const UVICORN = 'date: Mon, 02 Nov 2026 09:00:00 GMT\r\nserver: uvicorn\r\n';
const EVENTS = 'content-type: text/event-stream; charset=utf-8\r\n';
const DONE = 'data: [DONE]\n\n';

const data = (payload: object): string => `data: ${JSON.stringify(payload)}\n\n`;
const named = (payload: { readonly type: string; readonly [name: string]: unknown }): string =>
  `event: ${payload.type}\n${data(payload)}`;
const line = (payload: object): string => `${JSON.stringify(payload)}\n`;

const chunk = (delta: object | null, more: object = {}): object => ({
  id: 'chatcmpl-7',
  object: 'chat.completion.chunk',
  created: 1_793_600_000,
  model: 'served-model',
  choices: delta === null ? [] : [{ index: 0, delta, logprobs: null, finish_reason: null }],
  ...more,
});
const usage = (input: number, output: number): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
});

/** Chat completions, streamed. */
const CHATS: readonly Transcript[] = [
  {
    name: 'vLLM, with usage in every event',
    path: '/v1/chat/completions',
    head: UVICORN + EVENTS,
    parts: [
      data(chunk({ role: 'assistant', content: '' }, { usage: usage(21, 0), prompt_token_ids: null })),
      data(chunk({ reasoning: 'Thinking' }, { usage: usage(21, 1) })),
      data(chunk({ content: 'Hé' }, { usage: usage(21, 2) })),
      data(chunk(null, { usage: usage(21, 3) })),
      DONE,
    ],
    used: [21n, 3n],
  },
  {
    name: 'llama.cpp',
    path: '/v1/chat/completions',
    head: 'Server: llama.cpp\r\nKeep-Alive: timeout=5, max=100\r\nContent-Type: text/event-stream\r\nAccess-Control-Allow-Origin: \r\n',
    parts: [
      data(chunk({ role: 'assistant', content: null })),
      data(chunk({ content: 'Hello' }, { timings: { cache_n: 9, prompt_n: 3, prompt_ms: 1.5 } })),
      data(chunk(null, { usage: { ...usage(12, 2), prompt_tokens_details: { cached_tokens: 9 } } })),
      DONE,
    ],
    used: [12n, 2n],
  },
  {
    name: 'TGI, without a blank behind the colon, with an empty comment',
    path: '/v1/chat/completions',
    head: 'content-type: text/event-stream\r\nx-accel-buffering: no\r\nx-compute-type: gpu\r\n',
    parts: [
      ':\n\n',
      `data:${JSON.stringify(chunk({ role: 'assistant', content: 'Hi' }))}\n\n`,
      `data:${JSON.stringify(chunk(null, { usage: usage(4, 1) }))}\n\n`,
      'data:[DONE]\n\n',
    ],
    used: [4n, 1n],
  },
  {
    name: 'Azure OpenAI, with filter results first and null usages',
    path: '/openai/deployments/d/chat/completions?api-version=2024-10-21',
    head: 'Content-Type: text/event-stream; charset=utf-8\r\napim-request-id: 1\r\nx-ratelimit-remaining-tokens: 9\r\n',
    parts: [
      data({ choices: [], created: 0, id: '', model: '', object: '', prompt_filter_results: [{ prompt_index: 0 }] }),
      data(chunk({ role: 'assistant', content: '' }, { usage: null, obfuscation: 'wQ0' })),
      data(chunk({ content: 'Hi' }, { usage: null, obfuscation: 'kZ4aP' })),
      data(chunk(null, { usage: { ...usage(8, 2), prompt_tokens_details: { cached_tokens: 0 } }, obfuscation: '' })),
      DONE,
    ],
    used: [8n, 2n],
  },
  {
    name: 'DeepSeek, with comments that keep the connection',
    path: '/chat/completions',
    head: 'Content-Type: text/event-stream; charset=utf-8\r\nCache-Control: no-cache\r\n',
    parts: [
      ': keep-alive\n\n',
      ': keep-alive\n\n',
      data(chunk({ role: 'assistant', content: null, reasoning_content: 'So' })),
      data(
        chunk(
          { content: '' },
          { usage: { ...usage(30, 5), prompt_cache_hit_tokens: 20, prompt_cache_miss_tokens: 10 } },
        ),
      ),
      DONE,
    ],
    used: [30n, 5n],
  },
  {
    name: 'OpenRouter, with its comments',
    path: '/api/v1/chat/completions',
    head: 'Content-Type: text/event-stream\r\nServer: cloudflare\r\n',
    parts: [
      ': OPENROUTER PROCESSING\n\n',
      data(chunk({ role: 'assistant', content: 'Yes', reasoning: null }, { provider: 'X' })),
      data(chunk({ role: 'assistant', content: '' }, { usage: { ...usage(3, 1), cost: 0.1, is_byok: false } })),
      DONE,
    ],
    used: [3n, 1n],
  },
  {
    name: 'Groq, which reports the usage in a member of its own',
    path: '/openai/v1/chat/completions',
    head: 'content-type: text/event-stream\r\nx-groq-region: x\r\n',
    parts: [
      data(chunk({ role: 'assistant', content: 'Hi' }, { x_groq: { id: 'req_1' } })),
      data(chunk({}, { x_groq: { id: 'req_1', usage: { queue_time: 0.1, ...usage(18, 6), total_time: 0.2 } } })),
      DONE,
    ],
    used: [18n, 6n],
  },
  {
    name: 'Mistral, with the usage in its last choice',
    path: '/v1/chat/completions',
    head: 'content-type: text/event-stream; charset=utf-8\r\n',
    parts: [
      data(chunk({ role: 'assistant', content: 'Oui' })),
      data(chunk({ content: '' }, { usage: usage(7, 2) })),
      DONE,
    ],
    used: [7n, 2n],
  },
  {
    name: 'Gemini’s surface of the kind, in lines of CR LF and without an end',
    path: '/v1beta/openai/chat/completions',
    head: 'Content-Type: text/event-stream\r\nServer: scaffolding on HTTPServer2\r\n',
    parts: [
      data(chunk({ role: 'assistant', content: 'Hi' }, { usage: usage(2, 1) })).replaceAll('\n', '\r\n'),
      data(chunk({ content: '.' }, { usage: usage(2, 2) })).replaceAll('\n', '\r\n'),
    ],
    used: [2n, 2n],
  },
];

/** The other APIs for text generation. */
const OTHERS: readonly Transcript[] = [
  {
    name: 'responses of OpenAI',
    path: '/v1/responses',
    head: 'content-type: text/event-stream; charset=utf-8\r\nopenai-version: 2020-10-01\r\n',
    parts: [
      named({ type: 'response.created', sequence_number: 0, response: { id: 'resp_1', usage: null } }),
      named({ type: 'response.output_text.delta', item_id: 'm', output_index: 0, content_index: 0, delta: 'Hi' }),
      named({
        type: 'response.completed',
        response: {
          id: 'resp_1',
          output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi' }] }],
          usage: {
            input_tokens: 50,
            input_tokens_details: { cached_tokens: 40 },
            output_tokens: 9,
            output_tokens_details: { reasoning_tokens: 6 },
            total_tokens: 59,
          },
        },
      }),
    ],
    used: [50n, 9n],
  },
  {
    name: 'messages of Anthropic, most of the prompt from its cache',
    path: '/v1/messages?beta=true',
    head: 'content-type: text/event-stream; charset=utf-8\r\nrequest-id: req_1\r\nanthropic-organization-id: o\r\n',
    parts: [
      named({
        type: 'message_start',
        message: {
          id: 'msg_1',
          content: [],
          usage: { input_tokens: 4, cache_creation_input_tokens: 100, cache_read_input_tokens: 2000, output_tokens: 1 },
        },
      }),
      named({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
      named({ type: 'ping' }),
      named({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } }),
      named({ type: 'content_block_stop', index: 0 }),
      named({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 12 } }),
      named({ type: 'message_stop' }),
    ],
    used: [2104n, 12n],
  },
  {
    name: 'a chat of Ollama’s own',
    path: '/api/chat',
    head: 'Content-Type: application/x-ndjson\r\nDate: Mon, 02 Nov 2026 09:00:00 GMT\r\n',
    parts: [
      line({ model: 'm', created_at: 'x', message: { role: 'assistant', content: 'Hi' }, done: false }),
      line({
        model: 'm',
        created_at: 'x',
        message: { role: 'assistant', content: '' },
        done: true,
        prompt_eval_count: 26,
        eval_count: 8,
      }),
    ],
    used: [26n, 8n],
  },
  {
    name: 'a completion of llama.cpp’s own',
    path: '/completion',
    head: 'Server: llama.cpp\r\nContent-Type: text/event-stream\r\n',
    parts: [
      data({ index: 0, content: 'Hi', tokens: [9], stop: false, id_slot: 0, tokens_predicted: 1, tokens_evaluated: 5 }),
      data({ index: 0, content: '', tokens: [], stop: true, tokens_predicted: 2, tokens_evaluated: 5, timings: {} }),
    ],
    used: [5n, 2n],
  },
  {
    name: 'a transcription of OpenAI',
    path: '/v1/audio/transcriptions',
    head: 'content-type: text/event-stream; charset=utf-8\r\n',
    parts: [
      data({ type: 'transcript.text.delta', delta: 'Hi' }),
      data({ type: 'transcript.text.done', text: 'Hi', usage: { type: 'tokens', input_tokens: 14, output_tokens: 3 } }),
    ],
    used: [14n, 3n],
  },
  {
    name: 'an error in the middle',
    path: '/v1/chat/completions',
    head: UVICORN + EVENTS,
    parts: [
      data(chunk({ content: 'Hi' }, { usage: usage(5, 1) })),
      data({ error: { message: 'EngineCore encountered an issue.', type: 'InternalServerError', code: 500 } }),
      DONE,
    ],
    used: [5n, 1n],
  },
];

export const STREAMS: readonly Transcript[] = [...CHATS, ...OTHERS];

import { type Api, type Body, type Counts, isCall, type Turn, textOf } from './turn.ts';

const usage = ({ input, cached, output }: Counts): object => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});

const item = (turn: Turn): object =>
  isCall(turn)
    ? {
        type: 'function_call',
        id: 'fc_1',
        call_id: 'call_1',
        name: turn.tool,
        arguments: JSON.stringify(turn.input),
        status: 'completed',
      }
    : {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: turn.text, annotations: [] }],
      };

const response = (status: string, body: Body, more: object): object => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  model: body.model,
  output: [],
  ...more,
});

/** OpenAI's responses. */
export const responses: Api = {
  offered: (body) => (body.tools ?? []).map((tool: Body) => tool.name ?? tool.type),
  results: (body) =>
    (Array.isArray(body.input) ? body.input : [])
      .filter(({ type }: Body) => type === 'function_call_output')
      .map(({ output }: Body) => textOf(output)),
  streams: (body) => body.stream === true,
  reports: () => true,
  answer: (turn, counts, body) => response('completed', body, { output: [item(turn)], usage: usage(counts) }),
  stream(turn, counts, body) {
    const event = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    return [
      event('response.created', { response: response('in_progress', body, {}) }),
      event('response.output_item.added', { output_index: 0, item: item(turn) }),
      ...(isCall(turn)
        ? []
        : [
            event('response.output_text.delta', {
              item_id: 'msg_1',
              output_index: 0,
              content_index: 0,
              delta: turn.text,
            }),
          ]),
      event('response.output_item.done', { output_index: 0, item: item(turn) }),
      event('response.completed', {
        response: response('completed', body, { output: [item(turn)], usage: usage(counts) }),
      }),
    ];
  },
};

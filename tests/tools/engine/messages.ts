import { type Api, type Body, type Counts, isCall, type Turn, textOf } from './turn.ts';

const usage = ({ input, cached, written, output }: Counts): object => ({
  input_tokens: input - cached - written,
  cache_read_input_tokens: cached,
  cache_creation_input_tokens: written,
  output_tokens: output,
});

const block = (turn: Turn): object =>
  isCall(turn)
    ? { type: 'tool_use', id: 'toolu_1', name: turn.tool, input: turn.input }
    : { type: 'text', text: turn.text };

const head = (body: Body): object => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: body.model,
  stop_sequence: null,
});

const reason = (turn: Turn): string => (isCall(turn) ? 'tool_use' : 'end_turn');

/** Anthropic's messages. */
export const messages: Api = {
  offered: (body) => (body.tools ?? []).map(({ name }: Body) => name),
  results: (body) =>
    body.messages
      .flatMap(({ content }: Body) => (Array.isArray(content) ? content : []))
      .filter(({ type }: Body) => type === 'tool_result')
      .map(({ content }: Body) => textOf(content)),
  streams: (body) => body.stream === true,
  reports: () => true,
  answer: (turn, counts, body) => ({
    ...head(body),
    content: [block(turn)],
    stop_reason: reason(turn),
    usage: usage(counts),
  }),
  stream(turn, counts, body) {
    const event = (type: string, more: object): string =>
      `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
    const start = isCall(turn) ? { ...block(turn), input: {} } : { type: 'text', text: '' };
    const delta = isCall(turn)
      ? { type: 'input_json_delta', partial_json: JSON.stringify(turn.input) }
      : { type: 'text_delta', text: turn.text };
    const message = { ...head(body), content: [], stop_reason: null, usage: usage({ ...counts, output: 1 }) };
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: start }),
      event('content_block_delta', { index: 0, delta }),
      event('content_block_stop', { index: 0 }),
      event('message_delta', {
        delta: { stop_reason: reason(turn), stop_sequence: null },
        usage: { output_tokens: counts.output },
      }),
      event('message_stop', {}),
    ];
  },
};

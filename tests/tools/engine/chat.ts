import { type Api, type Body, type Counts, isCall, type Turn, textOf } from './turn.ts';

const usage = ({ input, cached, output }: Counts): object => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
  prompt_tokens_details: { cached_tokens: cached },
});

const call = (turn: Turn): readonly object[] =>
  isCall(turn)
    ? [
        {
          index: 0,
          id: 'call_1',
          type: 'function',
          function: { name: turn.tool, arguments: JSON.stringify(turn.input) },
        },
      ]
    : [];

const reason = (turn: Turn): string => (isCall(turn) ? 'tool_calls' : 'stop');

const head = (body: Body, object: string): object => ({ id: 'chatcmpl-1', object, created: 1, model: body.model });

const event = (data: object): string => `data: ${JSON.stringify(data)}\n\n`;

/** OpenAI's chat completions. */
export const chat: Api = {
  offered: (body) => (body.tools ?? []).map((tool: Body) => tool.function?.name),
  results: (body) =>
    body.messages.filter(({ role }: Body) => role === 'tool').map(({ content }: Body) => textOf(content)),
  streams: (body) => body.stream === true,
  reports: (body) => body.stream !== true || body.stream_options?.include_usage === true,
  answer: (turn, counts, body) => ({
    ...head(body, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: isCall(turn)
          ? { role: 'assistant', content: null, tool_calls: call(turn) }
          : { role: 'assistant', content: turn.text },
        finish_reason: reason(turn),
      },
    ],
    usage: usage(counts),
  }),
  stream(turn, counts, body) {
    const chunk = (delta: object, finish: string | null = null): string =>
      event({
        ...head(body, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...(isCall(turn) ? [chunk({ tool_calls: call(turn) })] : [chunk({ content: turn.text })]),
      chunk({}, reason(turn)),
      ...(chat.reports(body, '')
        ? [event({ ...head(body, 'chat.completion.chunk'), choices: [], usage: usage(counts) })]
        : []),
      'data: [DONE]\n\n',
    ];
  },
};

import { randomUUID } from 'node:crypto';
import * as z from 'zod';

/** The one model this engine lists. */
export const MODEL = 'demo-model';

const TEXT_PART = z.object({ type: z.literal('text'), text: z.string() });
const MESSAGE = z.object({
  role: z.string(),
  content: z.union([z.string(), z.array(z.union([TEXT_PART, z.object({ type: z.string() })])), z.null()]).optional(),
});

/** The part of a chat-completions request that this engine reads; the rest is accepted and has no effect. */
export const CHAT_REQUEST = z.object({
  model: z.string(),
  messages: z.array(MESSAGE).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().optional() }).nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
});
export type ChatRequest = z.infer<typeof CHAT_REQUEST>;

export interface Completion {
  readonly id: string;
  /** Unix seconds. */
  readonly created: number;
  /** The answer in the pieces a stream delivers; one piece counts as one token. */
  readonly pieces: readonly string[];
  readonly finishReason: 'stop' | 'length';
  readonly usage: {
    readonly prompt_tokens: number;
    readonly completion_tokens: number;
    readonly total_tokens: number;
  };
}

function textOf(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join(' ');
}

function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** The engine's answer: what it is, and the prompt it received. It does not pretend to be a language model. */
export function complete(request: ChatRequest, now: Date): Completion {
  const heard = textOf(request.messages.at(-1)?.content).trim();
  const quoted = heard.length > 300 ? `${heard.slice(0, 300)} …` : heard;
  const whole = pieces(
    'This is the demo engine that comes with the gateway, not a language model. ' +
      `Your call reached it through the gateway. The last message says: "${quoted}"`,
  );
  const most = request.max_completion_tokens ?? request.max_tokens ?? whole.length;
  const answer = whole.slice(0, most);
  const prompt = request.messages.reduce((sum, message) => sum + pieces(textOf(message.content)).length, 0);
  return {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(now.getTime() / 1000),
    pieces: answer,
    finishReason: answer.length < whole.length ? 'length' : 'stop',
    usage: { prompt_tokens: prompt, completion_tokens: answer.length, total_tokens: prompt + answer.length },
  };
}

/** The body of a plain answer. */
export function plainAnswer(completion: Completion): object {
  const { id, created, finishReason, usage } = completion;
  const message = { role: 'assistant', content: completion.pieces.join('').trimEnd() };
  return {
    id,
    object: 'chat.completion',
    created,
    model: MODEL,
    system_fingerprint: 'gateway-demo-engine',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage,
  };
}

/** The events of a streamed answer, in order, without the closing `[DONE]`. */
export function* streamAnswer(completion: Completion, withUsage: boolean): Generator<object> {
  const { id, created } = completion;
  const head = {
    id,
    object: 'chat.completion.chunk',
    created,
    model: MODEL,
    system_fingerprint: 'gateway-demo-engine',
  };
  const chunk = (delta: object, finishReason: string | null): object => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(withUsage ? { usage: null } : {}),
  });
  yield chunk({ role: 'assistant', content: '' }, null);
  for (const piece of completion.pieces) yield chunk({ content: piece }, null);
  yield chunk({}, completion.finishReason);
  if (withUsage) yield { ...head, choices: [], usage: completion.usage };
}

import { asSentence } from '../process/pluralize.ts';
import type { Emit } from './call-dependencies.ts';
import type { KeptMembers, Message, Model, ModelRequest, ToolCall } from './types/index.ts';

export interface ModelAnswer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  /** Tokens of this call; null where the engine does not count. */
  readonly usage: { readonly input: number; readonly output: number } | null;
  /** What ended the answer early, with the text so far; null where it is whole. */
  readonly error: unknown;
  /** Why the engine ended it: `stop`, `tool_calls`, `length`, `content_filter`; null where it does not say. */
  readonly reason: string | null;
  /** What the model says instead of an answer. */
  readonly refusal: string;
  readonly members?: KeptMembers;
}

const CUT =
  'The answer is cut: it reached the maximum number of tokens. Ask the model to continue, or raise maxTokens in the configuration.';

/** Calls the model once. Its output is emitted as it arrives; after an interruption or a fault, the text so far is kept. */
export async function callModel(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  emit: Emit,
): Promise<ModelAnswer> {
  let text = '';
  const calls: ToolCall[] = [];
  let usage: ModelAnswer['usage'] = null;
  let end: { readonly reason: string; readonly refusal?: string; readonly members?: KeptMembers } | null = null;
  try {
    for await (const event of model.stream(request, signal)) {
      switch (event.type) {
        case 'text':
          text += event.text;
          emit({ type: 'text', text: event.text });
          break;
        case 'reasoning':
          emit({ type: 'reasoning', text: event.text });
          break;
        case 'tool-call':
          calls.push(event.call);
          break;
        case 'usage':
          usage = { input: event.input, output: event.output };
          break;
        case 'retry': {
          const seconds = (event.delayMs / 1000).toLocaleString('en', { maximumFractionDigits: 1 });
          const note = `${asSentence(event.reason)} Trying again in ${seconds} s (${event.attempt} of 4).`;
          emit({ type: 'notice', level: 'info', text: note });
          break;
        }
        case 'end':
          end = event;
          if (event.reason === 'length') emit({ type: 'notice', level: 'warning', text: CUT });
          break;
      }
    }
  } catch (error) {
    // A call is run only when all of the answer came.
    return { text, calls: [], usage, error: error ?? new Error('The call ended.'), reason: null, refusal: '' };
  }
  const { reason = null, refusal = '', members } = end ?? {};
  return { text, calls, usage, error: null, reason, refusal, ...(members === undefined ? {} : { members }) };
}

/** What engines count for an image, about. */
const IMAGE_TOKENS = 1500;

/** A rough count of tokens for engines that report none: four characters each. */
export function estimateTokens(messages: readonly Message[], tools: ModelRequest['tools'] = []): number {
  if (messages.length + tools.length === 0) return 0;
  let images = 0;
  // Images of a message and those of a result are members of different names.
  const text = JSON.stringify(tools.length === 0 ? messages : [messages, tools], (_name, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('data:image/')) return value;
    images += 1;
    return '';
  });
  return Math.ceil(text.length / 4) + images * IMAGE_TOKENS;
}

/** Euros of one call; null where the model has no prices or the engine does not count. */
export function costOf(
  usage: { readonly input: number; readonly output: number } | null,
  prices: Model['prices'],
): number | null {
  return usage === null || prices === null
    ? null
    : (usage.input * prices.input + usage.output * prices.output) / 1_000_000;
}

export function addCost(one: number | null, more: number | null): number | null {
  return one === null ? more : one + (more ?? 0);
}

import {
  type Clock,
  type Message,
  type Model,
  type ModelEvent,
  ModelFailed,
  ModelRefused,
  type ModelRequest,
} from '../agent/types.ts';
import { isConnectionRefused, networkReason, originOf } from '../network/reason.ts';
import { createAssembly } from './chunk.ts';
import { eventData } from './event-stream.ts';
import { errorText, failureOf } from './failure.ts';
import { type HttpAnswer, type Post, readError, wholeText } from './http.ts';
import { delayBefore, isRetried, LONGEST_DELAY_MS, MOST_RETRIES } from './retry.ts';

export interface ModelSettings {
  /** The readable name. */
  readonly name: string;
  /** What the engine calls it. */
  readonly id: string;
  /** Base address: `https://gateway.example/demo/v1`. */
  readonly address: string;
  /** Tokens. */
  readonly contextLength: number | null;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  /** Whether it takes images; null: not known. */
  readonly images: boolean | null;
  /** Euros per million tokens. */
  readonly prices: Model['prices'];
  /** Asked before each call, for a token may have to be refreshed. Null sends no proof of identity. */
  key(): Promise<string | null>;
}

/** 401, 402 and 403 are the gateway's refusals. */
const REFUSALS = new Set([401, 402, 403]);

/** Replaces an image for a model that accepts none. */
const NO_IMAGE = '[An image was here. You take no images: say so where it matters.]';

/** A model behind the chat completions API. */
export function createChatModel(settings: ModelSettings, post: Post, clock: Clock): Model {
  const url = `${settings.address.replace(/\/+$/, '')}/chat/completions`;

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    // Texts are cut at code units in many places; engines refuse half a character.
    const body = JSON.stringify(bodyOf(settings, request), (_, value: unknown) =>
      typeof value === 'string' ? value.toWellFormed() : value,
    );
    let answer: HttpAnswer | undefined;
    for (let retry = 0; answer === undefined; retry += 1) {
      const tried = await attempt(body, request.session, signal);
      if ('answer' in tried) {
        answer = tried.answer;
        continue;
      }
      const delayMs = delayBefore(retry, tried.retryAfter, clock.now());
      if (retry === MOST_RETRIES || delayMs > LONGEST_DELAY_MS) throw tried.failure;
      yield { type: 'retry', attempt: retry + 1, delayMs, reason: tried.failure.message };
      await clock.sleep(delayMs, signal);
    }
    yield* read(answer, signal);
  }

  async function attempt(
    body: string,
    session: string,
    signal: AbortSignal,
  ): Promise<{ answer: HttpAnswer } | { failure: ModelFailed; retryAfter: string | undefined }> {
    signal.throwIfAborted();
    const key = await settings.key();
    let answer: HttpAnswer;
    try {
      answer = await post(
        url,
        {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'x-gateway-session': session,
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body,
        signal,
      );
    } catch (error) {
      signal.throwIfAborted();
      const failure = new ModelFailed(`${originOf(url)} cannot be reached: ${networkReason(error)}`, null);
      if (!isConnectionRefused(error)) throw failure;
      return { failure, retryAfter: undefined };
    }
    if (answer.status >= 200 && answer.status < 300) return { answer };
    const error = await readError(answer);
    const sentence = errorText(error);
    if (REFUSALS.has(answer.status)) {
      const revoked = answer.headers['x-gateway-session-standing'] === 'revoked';
      throw new ModelRefused(
        sentence ?? `${originOf(url)} refused the call (${answer.status}).`,
        answer.status,
        revoked,
      );
    }
    const message = sentence ?? `${originOf(url)} answered ${answer.status}.`;
    if (!isRetried(answer.status)) throw failureOf(error, `${message}${imageHint(settings, body)}`, answer.status);
    return { failure: new ModelFailed(message, answer.status), retryAfter: answer.headers['retry-after'] };
  }

  async function* read(answer: HttpAnswer, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const assembly = createAssembly();
    try {
      if (/^text\/event-stream/i.test(answer.headers['content-type'] ?? '')) {
        for await (const data of eventData(answer.body)) {
          if (data === '[DONE]') break;
          yield* assembly.add(data);
        }
      } else yield* assembly.add(await wholeText(answer.body, Number.POSITIVE_INFINITY));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailed) throw error;
      throw new ModelFailed(`The answer broke off: ${networkReason(error)}`, null);
    }
    yield* assembly.end();
  }

  const { name, contextLength, images, prices } = settings;
  return { name, contextLength, images, prices, stream };
}

function bodyOf({ id, maxTokens, temperature, images }: ModelSettings, { messages, tools }: ModelRequest): object {
  return {
    model: id,
    messages: messages.map((message) => wireMessage(message, images !== false)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    ...(temperature === null ? {} : { temperature }),
  };
}

/** An engine that accepts no images refuses every call of a conversation that contains one. */
function imageHint({ name, images }: ModelSettings, body: string): string {
  return images === null && body.includes('"type":"image_url"')
    ? ` The conversation holds an image. If ${name} takes none, set images: false for it in the configuration.`
    : '';
}

/** @param images whether the model accepts images; else it gets a note that one was there */
function wireMessage(message: Message, images: boolean): object {
  switch (message.role) {
    case 'user': {
      if (typeof message.content === 'string') return { role: 'user', content: message.content };
      const parts = message.content.map((part) => {
        if (part.type === 'text') return part;
        return images ? { type: 'image_url', image_url: { url: part.url } } : { type: 'text', text: NO_IMAGE };
      });
      // Engines of models without images often take a text alone.
      return {
        role: 'user',
        content: images ? parts : parts.map((part) => ('text' in part ? part.text : '')).join('\n'),
      };
    }
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
      }));
      return { role: 'assistant', content: message.content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    default:
      return message;
  }
}

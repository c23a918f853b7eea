import { createHash } from 'node:crypto';
import {
  type AssistantMessage,
  type Clock,
  type KeptMembers,
  type Message,
  type Model,
  type ModelEvent,
  ModelFailed,
  ModelRefused,
  type ModelRequest,
  type ToolCall,
  type UserMessage,
} from '../agent/types/index.ts';
import { isBrokenConnection, networkReason, originOf } from '../process/network.ts';
import { asSentence } from '../process/pluralize.ts';
import { createAssembly } from './chunk.ts';
import { eventData } from './event-stream.ts';
import {
  delayBefore,
  errorText,
  failureOf,
  type HttpAnswer,
  isRetried,
  LONGEST_DELAY_MS,
  MOST_RETRIES,
  type Post,
  readError,
  Stalled,
  whenAgain,
  wholeText,
  withoutStall,
} from './http.ts';

/** What of a model's settings is part of a request. */
interface RequestSettings {
  /** What the engine calls the model. */
  readonly id: string;
  readonly maxTokens: number | null;
  readonly temperature: number | null;
  readonly images: boolean | null;
}

/** Replaces an image for a model that accepts none. */
const NO_IMAGE = '[An image was here. You take no images: say so where it matters.]';

/** The body of a call. @param entry the entry of the configuration whose own members go back to it */
function bodyOf(
  { id, maxTokens, temperature, images }: RequestSettings,
  entry: string,
  { messages, tools }: ModelRequest,
  rules: EngineRules,
): object {
  const own = messages.map((message) => (message.role === 'assistant' ? withOwnMembers(message, entry) : message));
  return {
    model: id,
    messages: obey(withPicturesBehind(own), rules).map((message) => wireMessage(message, images !== false)),
    ...(tools.length === 0
      ? {}
      : {
          tools: tools.map(({ name, description, parameters }) => ({
            type: 'function',
            function: { name, description, parameters },
          })),
        }),
    stream: true,
    ...(rules.has('no-stream-options') ? {} : { stream_options: { include_usage: true } }),
    ...(maxTokens === null
      ? {}
      : { [rules.has('completion-tokens') ? 'max_completion_tokens' : 'max_tokens']: maxTokens }),
    ...(temperature === null || rules.has('no-temperature') ? {} : { temperature }),
  };
}

function withOwnMembers(message: AssistantMessage, entry: string): Message {
  if (message.entry === entry) return message;
  const { members: _, toolCalls, ...rest } = message;
  const plain = toolCalls?.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return plain === undefined ? rest : { ...rest, toolCalls: plain };
}

/** The pictures of results follow all results of an answer, as a message of the user: engines take them nowhere else. */
function withPicturesBehind(messages: readonly Message[]): readonly Message[] {
  const found: Message[] = [];
  let pictures: string[] = [];
  const flush = (): void => {
    if (pictures.length > 0) found.push({ role: 'user', content: picturesOf(pictures) });
    pictures = [];
  };
  for (const message of messages) {
    if (message.role === 'tool') pictures.push(...(message.images ?? []));
    else flush();
    found.push(message);
  }
  flush();
  return found;
}

function picturesOf(urls: readonly string[]): UserMessage['content'] {
  return [
    { type: 'text', text: '[Pictures that belong to the results above:]' },
    ...urls.map((url) => ({ type: 'image' as const, url })),
  ];
}

function wireMessage(message: Message, images: boolean): object {
  switch (message.role) {
    case 'user':
      return userMessage(message, images);
    case 'assistant': {
      const calls = (message.toolCalls ?? []).map((call) => ({
        ...call.members,
        id: call.id,
        type: 'function',
        function: { ...call.functionMembers, name: call.name, arguments: call.arguments },
      }));
      const { members, content } = message;
      return { ...members, role: 'assistant', content, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    }
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    default:
      return message;
  }
}

function userMessage({ content }: UserMessage, images: boolean): object {
  if (typeof content === 'string') return { role: 'user', content };
  const parts = content.map((part) => {
    if (part.type === 'text') return part;
    return images ? { type: 'image_url', image_url: { url: part.url } } : { type: 'text', text: NO_IMAGE };
  });
  // Engines of models without images often take a text alone.
  const isText = parts.every((part) => 'text' in part);
  return { role: 'user', content: isText ? parts.map((part) => ('text' in part ? part.text : '')).join('\n') : parts };
}

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
  /** Seconds without a byte, after the first one, that end an answer. */
  readonly stallSeconds: number;
  /** Whether it takes images; null: not known. */
  readonly images: boolean | null;
  /** Euros per million tokens. */
  readonly prices: Model['prices'];
  /** Asked before each call, for a token may have to be refreshed. Null sends no proof of identity. */
  key(): Promise<string | null>;
}

/** An answer whose first byte is there. */
interface Begun {
  readonly answer: HttpAnswer;
  readonly pieces: AsyncIterator<Uint8Array>;
  readonly first: IteratorResult<Uint8Array>;
}
type Attempt =
  | { readonly begun: Begun }
  /** The call is made again at once, by a rule of the engine that was not known. */
  | { readonly rule: EngineRule }
  | { readonly failure: ModelFailed; readonly retryAfter: string | undefined };

/** 401, 402 and 403 are the gateway's refusals. */
const REFUSALS = new Set([401, 402, 403]);

/** A model behind the chat completions API. */
export function createChatModel(settings: ModelSettings, post: Post, clock: Clock): Model {
  const url = `${settings.address.replace(/\/+$/, '')}/chat/completions`;
  const entry = `${settings.name} (${settings.id})`;
  const rules = new Set<EngineRule>();

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const call = new AbortController();
    const either = AbortSignal.any([signal, call.signal]);
    try {
      let begun: Begun | undefined;
      for (let retry = 0; begun === undefined; ) {
        // Texts are cut at code units in many places; engines refuse half a character.
        const body = JSON.stringify(bodyOf(settings, entry, request, rules), (_, value: unknown) =>
          typeof value === 'string' ? value.toWellFormed() : value,
        );
        const tried = await attempt(body, request.session, signal, either);
        if ('begun' in tried) begun = tried.begun;
        else if ('rule' in tried) rules.add(tried.rule);
        else {
          const { failure, retryAfter } = tried;
          const delayMs = delayBefore(retry, retryAfter, clock.now());
          if (delayMs > LONGEST_DELAY_MS)
            throw new ModelFailed(`${asSentence(failure.message)} ${whenAgain(delayMs, clock.now())}`, failure.status);
          if (retry === MOST_RETRIES) throw failure;
          yield { type: 'retry', attempt: retry + 1, delayMs, reason: failure.message };
          await clock.sleep(delayMs, signal);
          retry += 1;
        }
      }
      yield* read(begun, signal);
    } finally {
      // Ends a connection that hangs.
      call.abort(new Error('The call is over.'));
    }
  }

  async function attempt(body: string, session: string, signal: AbortSignal, either: AbortSignal): Promise<Attempt> {
    signal.throwIfAborted();
    const key = await settings.key();
    let answer: HttpAnswer;
    let pieces: AsyncIterator<Uint8Array>;
    let first: IteratorResult<Uint8Array>;
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
        either,
      );
      if (answer.status >= 200 && answer.status < 300) {
        pieces = answer.body[Symbol.asyncIterator]();
        first = await pieces.next();
        return { begun: { answer, pieces, first } };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ModelFailed) throw error;
      const failure = new ModelFailed(`${originOf(url)} cannot be reached: ${networkReason(error)}`, null);
      if (!isBrokenConnection(error)) throw failure;
      return { failure, retryAfter: undefined };
    }
    const { text, value: error } = await readError(answer);
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
    const rule = ruleIn(answer.status, text, rules);
    if (rule !== null) return { rule };
    if (!isRetried(answer.status)) throw failureOf(error, `${message}${imageHint(settings, body)}`, answer.status);
    return { failure: new ModelFailed(message, answer.status), retryAfter: answer.headers['retry-after'] };
  }

  async function* read({ answer, pieces, first }: Begun, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const assembly = createAssembly();
    const body = withoutStall(pieces, first, settings.stallSeconds);
    try {
      if (/^text\/event-stream/i.test(answer.headers['content-type'] ?? '')) {
        for await (const data of eventData(body)) {
          if (data === '[DONE]') break;
          yield* assembly.add(data);
        }
      } else yield* assembly.add(await wholeText(body, Number.POSITIVE_INFINITY));
    } catch (error) {
      signal.throwIfAborted();
      // What is whole is an answer, though the engine leaves the connection open.
      if (!(error instanceof Stalled && assembly.isOver())) {
        if (error instanceof ModelFailed || error instanceof ModelRefused) throw error;
        throw new ModelFailed(`The answer broke off: ${networkReason(error)}`, null);
      }
    }
    yield* assembly.end();
  }

  const { name, contextLength, images, prices } = settings;
  return { name, entry, contextLength, images, prices, stream };
}

/** An engine that accepts no images refuses every call of a conversation that contains one. */
function imageHint({ name, images }: ModelSettings, body: string): string {
  return images === null && body.includes('"type":"image_url"')
    ? ` The conversation holds an image. If ${name} takes none, set images: false for it in the configuration.`
    : '';
}

/**
 * What some engines refuse and others demand. `gw` learns it from an engine's refusal, calls again, and keeps to it as
 * long as it runs: no list of vendors has to be right.
 */
const RULES = {
  /** Mistral, Groq: members that they do not know. The engine of the entry changed, or sends what it does not take. */
  'no-kept-members':
    /(?=.*(?:reasoning|extra_content|thought|messages?\b.*(?:assistant|tool_calls)))(?=.*(?:extra (?:inputs|fields)|not permitted|unsupported|not supported|unknown|unexpected|unrecognized|not allowed))/is,
  /** DeepSeek, Moonshot: the messages of another model have no thinking. */
  'fill-reasoning':
    /reasoning_content\b.*(?:missing|required|must be (?:passed|provided))|missing\b.*\breasoning_content/is,
  /** Gemini: the calls of another model have no signature. */
  'fill-signature': /thought_signature/i,
  /** Mistral. */
  'nine-letter-ids': /a-z, A-Z, 0-9, with a length of 9/i,
  /** Mistral: a message of the user must not follow a result. */
  'answer-results': /unexpected role ['"]?user['"]? after role ['"]?tool/i,
  /** Templates of llama.cpp and vLLM. */
  'alternate-roles': /roles must alternate|after the optional system message/i,
  'no-stream-options': /stream_options/i,
  /** OpenAI: models that think. */
  'completion-tokens': /max_tokens\b.*max_completion_tokens/is,
  'no-temperature': /(?=.*temperature)(?=.*(?:unsupported|not support|does not support|deprecated|only the default))/is,
} as const;
type EngineRule = keyof typeof RULES;
type EngineRules = ReadonlySet<EngineRule>;

const READ = new Set([400, 422, 500]);

/** What a refusal says of the engine, where it is not known yet. */
function ruleIn(status: number, sentence: string, known: EngineRules): EngineRule | null {
  if (!READ.has(status)) return null;
  for (const [rule, pattern] of Object.entries(RULES) as [EngineRule, RegExp][])
    if (!known.has(rule) && pattern.test(sentence)) return rule;
  return null;
}

/** The messages as an engine with these rules takes them. */
function obey(messages: readonly Message[], rules: EngineRules): readonly Message[] {
  let kept = messages;
  if (rules.has('no-kept-members')) kept = kept.map(withoutKept);
  if (rules.has('fill-reasoning')) kept = kept.map(withReasoning);
  if (rules.has('fill-signature')) kept = kept.map(withSignature);
  if (rules.has('nine-letter-ids')) kept = kept.map(withNineLetters);
  if (rules.has('answer-results')) kept = kept.flatMap((one, at) => answered(one, kept[at - 1]));
  if (rules.has('alternate-roles')) kept = alternating(kept);
  return kept;
}

function withoutKept(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const { members: _, toolCalls, ...rest } = message;
  const plain = toolCalls?.map(({ id, name, arguments: text }) => ({ id, name, arguments: text }));
  return plain === undefined ? rest : { ...rest, toolCalls: plain };
}

function withReasoning(message: Message): Message {
  return message.role !== 'assistant' || message.members?.['reasoning_content'] !== undefined
    ? message
    : { ...message, members: { ...message.members, reasoning_content: ' ' } };
}

/** The value that Gemini takes for calls that it did not make. */
const NO_SIGNATURE: KeptMembers = {
  extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } },
};

function withSignature(message: Message): Message {
  if (message.role !== 'assistant') return message;
  const [first, ...rest] = message.toolCalls ?? [];
  if (first === undefined || first.members?.['extra_content'] !== undefined) return message;
  return { ...message, toolCalls: [{ ...first, members: { ...first.members, ...NO_SIGNATURE } }, ...rest] };
}

function withNineLetters(message: Message): Message {
  if (message.role === 'tool') return { ...message, callId: nineLetters(message.callId) };
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message;
  return { ...message, toolCalls: message.toolCalls.map((call: ToolCall) => ({ ...call, id: nineLetters(call.id) })) };
}
function nineLetters(id: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
}

function answered(message: Message, before: Message | undefined): readonly Message[] {
  return message.role === 'user' && before?.role === 'tool'
    ? [{ role: 'assistant', content: 'I have read the results.' }, message]
    : [message];
}

/** Messages of the same side as one. */
function alternating(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = [];
  for (const message of messages) {
    const before = merged.at(-1);
    if (message.role === 'user' && before?.role === 'user')
      merged[merged.length - 1] = { ...before, content: [...partsOf(before.content), ...partsOf(message.content)] };
    else if (message.role === 'assistant' && before?.role === 'assistant' && before.toolCalls === undefined)
      merged[merged.length - 1] = { ...message, content: `${before.content}\n\n${message.content}` };
    else merged.push(message);
  }
  return merged;
}
function partsOf(content: Extract<Message, { role: 'user' }>['content']) {
  return typeof content === 'string' ? [{ type: 'text' as const, text: `${content}\n` }] : content;
}

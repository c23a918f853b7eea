import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
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

interface Completion {
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

function contentText(content: ChatRequest['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => ('text' in part ? part.text : '')).join(' ');
}

function pieces(text: string): readonly string[] {
  return text.match(/\S+\s*/g) ?? [];
}

/** The engine's answer: what it is, and the prompt it received. It does not pretend to be a language model. */
export function complete(request: ChatRequest, now: Date): Completion {
  const heard = contentText(request.messages.at(-1)?.content).trim();
  const quoted = heard.length > 300 ? `${heard.slice(0, 300)} …` : heard;
  const whole = pieces(
    'This is the demo engine that comes with the gateway, not a language model. ' +
      `Your call reached it through the gateway. The last message says: "${quoted}"`,
  );
  const most = request.max_completion_tokens ?? request.max_tokens ?? whole.length;
  const answer = whole.slice(0, most);
  const prompt = request.messages.reduce((sum, message) => sum + pieces(contentText(message.content)).length, 0);
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

/** Between two pieces of a stream, so that a person sees it stream. */
const PIECE_MILLISECONDS = 25;
const LARGEST_BODY = 16 * 1024 * 1024;

function answer(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

/** An error in the shape that chat-completions clients read. */
function fault(response: ServerResponse, status: number, message: string, code: string | null = null): void {
  answer(response, status, { error: { message, type: 'invalid_request_error', param: null, code } });
}

async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Read to its end in any case: an unread rest resets the connection, and with it the answer or the next call.
    if (length <= LARGEST_BODY) chunks.push(chunk);
  }
  return length > LARGEST_BODY ? null : Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function stream(response: ServerResponse, events: Iterable<object>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  for (const event of events) {
    if (response.destroyed) return;
    response.write(`data: ${JSON.stringify(event)}\n\n`);
    await pause(PIECE_MILLISECONDS);
  }
  response.end('data: [DONE]\n\n');
}

async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await bodyOf(request);
  if (text === null) return fault(response, 413, `The request body is larger than ${LARGEST_BODY} bytes.`);
  const body = parse(text);
  if (body === undefined) return fault(response, 400, 'The request body is not JSON.');
  const read = CHAT_REQUEST.safeParse(body);
  if (!read.success) return fault(response, 400, z.prettifyError(read.error).replaceAll('\n', ' '));
  const { model, stream: streamed, stream_options: streamOptions } = read.data;
  if (model !== MODEL) return fault(response, 404, `The model "${model}" does not exist.`, 'model_not_found');
  const completion = complete(read.data, new Date());
  if (!streamed) return answer(response, 200, plainAnswer(completion));
  return stream(response, streamAnswer(completion, streamOptions?.include_usage === true));
}

async function route(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url?.split('?')[0];
  if (path === '/v1/chat/completions' && request.method === 'POST') return chat(request, response);
  if (path === '/v1/models' && request.method === 'GET') {
    const data = [{ id: MODEL, object: 'model', created: 0, owned_by: 'gateway-demo' }];
    return answer(response, 200, { object: 'list', data });
  }
  return fault(response, 404, `This demo engine has POST /v1/chat/completions and GET /v1/models, not ${path}.`);
}

/** A small chat-completions service that describes itself: something to call before there is a real engine. */
export function createEngine(): Server {
  return createServer((request, response) => {
    route(request, response).catch(() => response.destroy());
  });
}

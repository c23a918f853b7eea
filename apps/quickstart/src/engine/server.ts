import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { CHAT_REQUEST, complete, MODEL, plainAnswer, streamAnswer } from './completion.ts';

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

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chat } from './chat.ts';
import { gemini } from './gemini.ts';
import { messages } from './messages.ts';
import { responses } from './responses.ts';
import type { Api, Body, Counts, ToolCall, Turn } from './turn.ts';

/** A call as the engine got and answered it. */
export interface Answered {
  readonly method: string;
  readonly url: string;
  readonly session: string | undefined;
  readonly body: Body;
  /** Account keys in its headers: there should be none. */
  readonly keys: readonly string[];
  readonly turn: Turn | null;
  /** Null where the answer names no tokens. */
  readonly counts: Counts | null;
}

export interface ToolEngine {
  readonly url: string;
  readonly answered: Answered[];
  /** The calls of tools that it makes in a conversation, one a turn, and the text after them. */
  play(calls: readonly ToolCall[], text: string): void;
  stop(): Promise<void>;
}

const APIS: readonly (readonly [RegExp, Api])[] = [
  [/\/chat\/completions$/, chat],
  [/\/responses$/, responses],
  [/\/messages$/, messages],
  [/:(generateContent|streamGenerateContent)$/, gemini],
];

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
}

/** An engine that speaks the APIs of the developers' tools and reports its usage: other numbers for each answer. */
export async function startToolEngine(): Promise<ToolEngine> {
  const answered: Answered[] = [];
  let script: readonly ToolCall[] = [];
  let last = '';

  /** The next call of the script for the conversation that offers its tool, and a short text for any other, such as a title. */
  function turnOf(api: Api, body: Body): Turn {
    const call = script[api.results(body).length];
    if (call === undefined) return { text: last };
    return api.offered(body).includes(call.tool) ? call : { text: 'A note' };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request;
    const body = await bodyOf(request);
    const path = url.split('?')[0] ?? '';
    const api = method === 'POST' ? APIS.find(([pattern]) => pattern.test(path))?.[1] : undefined;
    const keys = request.rawHeaders.flatMap((text) => text.match(/gwk_\w+/g) ?? []);
    const seen = { method, url, session: request.headers['x-gateway-session']?.toString(), body, keys };
    if (api === undefined) {
      answered.push({ ...seen, turn: null, counts: null });
      const models = { object: 'list', data: [{ id: 'served', object: 'model', created: 1, owned_by: 'test' }] };
      const known = path.endsWith('/models');
      response.writeHead(known ? 200 : 404, { 'content-type': 'application/json' });
      response.end(known ? JSON.stringify(models) : '{"error":{"message":"not here"}}');
      return;
    }
    const number = answered.length + 1;
    const written = api === messages ? 200 : 0;
    const counts = { input: 1000 + 7 * number, cached: 100 + number, written, output: 20 + number };
    const turn = turnOf(api, body);
    answered.push({ ...seen, turn, counts: api.reports(body, url) ? counts : null });
    if (!api.streams(body, url)) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(api.answer(turn, counts, body)));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of api.stream(turn, counts, body)) response.write(event);
    response.end();
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    play(calls, text) {
      script = calls;
      last = text;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as an engine of the tests got it. */
export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  body: Buffer;
  /** Resolves when the caller's side of the connection has closed. */
  readonly closed: Promise<void>;
}

export type EngineAnswer = (request: Received, response: ServerResponse, incoming: IncomingMessage) => unknown;

export interface Engine {
  readonly url: string;
  readonly port: number;
  readonly received: Received[];
  /** Connections that are open now. */
  readonly connections: ReadonlySet<Socket>;
  /** Answers the calls whose path ends so, once their body is in; `atHead`: as soon as their headers are. */
  on(path: string, answer: EngineAnswer, atHead?: boolean): void;
  /** Resolves with the next request whose path ends so. */
  next(path: string): Promise<Received>;
  stop(): Promise<void>;
}

export const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
};

/** A real HTTP server that records its requests and returns the test's answer, or a small completion. */
export async function startEngine(): Promise<Engine> {
  const received: Received[] = [];
  const connections = new Set<Socket>();
  const answers = new Map<string, { answer: EngineAnswer; atHead: boolean }>();
  const waiting: { path: string; resolve: (request: Received) => void }[] = [];
  const server = createServer((incoming, response) => {
    const path = (incoming.url ?? '').split('?')[0] ?? '';
    const request: Received = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      rawHeaders: incoming.rawHeaders,
      body: Buffer.alloc(0),
      closed: new Promise((resolve) => {
        incoming.socket.setMaxListeners(0); // one per request of an open connection
        incoming.socket.once('close', () => resolve());
      }),
    };
    received.push(request);
    const found = [...answers].find(([end]) => path.endsWith(end))?.[1];
    const here = waiting.findIndex((one) => path.endsWith(one.path));
    if (here >= 0) waiting.splice(here, 1)[0]?.resolve(request);
    if (found?.atHead === true) {
      found.answer(request, response, incoming);
      return;
    }
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => {});
    incoming.on('end', () => {
      request.body = Buffer.concat(chunks);
      if (found !== undefined) found.answer(request, response, incoming);
      else {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify(COMPLETION));
      }
    });
  });
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    received,
    connections,
    on: (path, answer, atHead = false) => {
      answers.set(path, { answer, atHead });
    },
    next: (path) =>
      new Promise((resolve) => {
        waiting.push({ path, resolve });
      }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

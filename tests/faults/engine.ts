import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** How the engine answers a call. The caller asks for it in its message. */
export const WAYS = ['plain', 'stream', 'late', 'reset', 'short', 'bad-chunk', 'silent'] as const;
export type Way = (typeof WAYS)[number];

/** What a caller writes into its message. The engine repeats the nonce, so that a crossed answer shows. */
export interface Order {
  readonly id: string;
  readonly nonce: string;
  readonly way: Way;
}

/** The engine keeps a receipt of each request that reached it: the reference for relayed calls. */
export interface FaultyEngine {
  readonly url: string;
  readonly receipts: readonly string[];
  /** Receipts that had no decision in the database at the moment they came, among those that were looked up. */
  readonly early: readonly string[];
  close(): Promise<void>;
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 };

/**
 * @param isRecorded looks up whether a granted decision about the request is committed; null where the database cannot be asked.
 * Every tenth request waits for this before it is answered.
 */
export async function startFaultyEngine(isRecorded: (id: string) => Promise<boolean | null>): Promise<FaultyEngine> {
  const receipts: string[] = [];
  const early: string[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await json(request)) as {
      messages: readonly { content: string }[];
    };
    const order = JSON.parse(body.messages[0]?.content ?? '') as Order;
    receipts.push(order.id);
    if (receipts.length % 10 === 0 && (await isRecorded(order.id)) === false) early.push(order.id);
    respond(order, response);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  server.keepAliveTimeout = 60_000;
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    receipts,
    early,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function respond({ nonce, way }: Order, response: ServerResponse): void {
  const plain = JSON.stringify({ choices: [{ message: { role: 'assistant', content: nonce } }], usage: USAGE });
  const { socket } = response;
  switch (way) {
    case 'plain':
      response.writeHead(200, { 'content-type': 'application/json' }).end(plain);
      return;
    case 'late':
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(plain), 150);
      return;
    case 'stream':
      stream(nonce, response);
      return;
    case 'reset':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(nonce), () => socket?.resetAndDestroy());
      return;
    case 'short':
      socket?.end(
        `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${plain.length + 9}\r\n\r\n${plain}`,
      );
      return;
    case 'bad-chunk':
      socket?.end(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\nnothing\r\n`);
      return;
    case 'silent':
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(event(nonce));
  }
}

/** The space ends the word, so that secret detection need not wait for the next event to see the whole word. */
const event = (word: string): string =>
  `data: ${JSON.stringify({ choices: [{ delta: { content: `${word} ` } }] })}\n\n`;

function stream(nonce: string, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let left = 8;
  const timer = setInterval(() => {
    left -= 1;
    if (left > 0) return response.write(event(nonce));
    clearInterval(timer);
    return response.end(`data: ${JSON.stringify({ choices: [], usage: USAGE })}\n\ndata: [DONE]\n\n`);
  }, 3);
  response.once('close', () => clearInterval(timer));
}

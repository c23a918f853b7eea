import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An engine that answers at once, or keeps a stream open and sends what the benchmark requests. */
export interface HeldEngine {
  readonly url: URL;
  /** Streams that are open, in the order in which they began. */
  readonly streams: readonly ServerResponse[];
  close(): void;
}

const PLAIN = JSON.stringify({
  id: 'c',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 80, total_tokens: 280 },
});

/** One event of a stream that carries a number. */
export function event(number: number): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: `event ${number} ` } }] })}\n\n`;
}

export async function startHeldEngine(): Promise<HeldEngine> {
  const streams: ServerResponse[] = [];
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    if (body.includes('"stream":true')) {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      streams.push(response);
    } else response.writeHead(200, { 'content-type': 'application/json' }).end(PLAIN);
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    streams,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

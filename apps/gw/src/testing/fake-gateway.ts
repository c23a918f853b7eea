import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}
export interface GatewayAnswer {
  readonly status: number;
  readonly body: unknown;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/**
 * A server that answers as a test says, and remembers what it was asked. `cut` closes the connection without an answer,
 * `silent` keeps it open. It ends with the test.
 */
export async function fakeGateway(answer: (asked: Asked) => GatewayAnswer | 'cut' | 'silent') {
  const seen: Asked[] = [];
  const server = createServer((request, response) => {
    const reply = async (): Promise<void> => {
      const body = await bodyOf(request);
      const { method = '', url = '', headers } = request;
      const asked = { method, url, authorization: headers.authorization ?? '', body };
      seen.push(asked);
      const given = answer(asked);
      if (given === 'cut') {
        request.socket.destroy();
        return;
      }
      if (given === 'silent') return;
      response.writeHead(given.status, { 'content-type': 'application/json' });
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body));
    };
    reply().catch(() => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${port}`, seen, close };
}

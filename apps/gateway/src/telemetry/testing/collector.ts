import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A collector that keeps what it got, and answers with the status that a test sets. */
export async function startCollector() {
  const got: { readonly path: string | undefined; readonly headers: IncomingHttpHeaders; readonly text: string }[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    request.once('end', () => {
      got.push({ path: request.url, headers: request.headers, text });
      response.writeHead(collector.status).end(collector.status === 200 ? '{}' : 'no');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const collector = {
    status: 200,
    got,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
  return collector;
}

export type TestCollector = Awaited<ReturnType<typeof startCollector>>;

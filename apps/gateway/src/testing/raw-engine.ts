import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** What a raw peer does with one request: `head` is everything up to the blank line. */
export type RawAnswer = (socket: Socket, head: string, nth: number) => void;

export interface RawEngine {
  readonly url: string;
  /** Requests so far, over all connections. */
  requests(): number;
  connections(): number;
  /** Takes each further connection before its first byte. */
  onConnection(take: (socket: Socket) => void): void;
  stop(): Promise<void>;
}

/** An engine that writes exactly a test's bytes, even invalid ones. It answers once it has received the head of a request. */
export async function startRawEngine(answer: RawAnswer): Promise<RawEngine> {
  const sockets = new Set<Socket>();
  let requests = 0;
  let connections = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    connections += 1;
    let text = '';
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    socket.setEncoding('latin1').on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = text.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      text = text.slice(end + 4 + length);
      requests += 1;
      answer(socket, head, requests);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    connections: () => connections,
    onConnection: (take) => void server.prependListener('connection', take),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A server that hands each request to `answer`, which writes to the socket what it likes. One request a packet. */
export async function answering(
  answer: (socket: net.Socket, request: string, number: number) => void,
): Promise<{ readonly port: number; readonly close: () => void }> {
  const sockets = new Set<net.Socket>();
  let number = 0;
  const server = net.createServer((socket) => {
    sockets.add(socket.setNoDelay(true));
    socket.on('error', () => socket.destroy());
    socket.on('data', (data) => answer(socket, data.toString('latin1'), (number += 1)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Writes parts one by one, each as a packet of its own. */
export async function inParts(socket: net.Socket, parts: readonly string[]): Promise<void> {
  for (const part of parts) {
    await new Promise<void>((done) => {
      socket.write(part, () => done());
    });
    await new Promise((done) => {
      setImmediate(done);
    });
  }
}

export const plain = (body: string, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

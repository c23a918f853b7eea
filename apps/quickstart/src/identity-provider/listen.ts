import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer, type Server } from 'node:net';

const TLS_HANDSHAKE = 0x16;

/**
 * Serves HTTPS, and plain HTTP on the same port for clients that do not trust the demo authority: a browser or a tool on this
 * machine can still show the sign-in page. The first byte of a connection shows which of the two it is.
 */
export function listenForBoth(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { certificate, key }: { readonly certificate: string; readonly key: string },
): Server {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answer(request, response).catch(() => response.destroy());
  };
  const encrypted = createHttpsServer({ cert: certificate, key }, handle);
  const plain = createHttpServer(handle);
  return createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (first: Buffer) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === TLS_HANDSHAKE ? encrypted : plain).emit('connection', socket);
      process.nextTick(() => socket.resume());
    });
  });
}

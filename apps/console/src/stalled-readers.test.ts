import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { cutStalledReaders } from './start.ts';

let server: Server;
let caller: Socket;
afterEach(() => {
  caller.destroy();
  server.closeAllConnections();
  server.close();
});

/** A caller that reads nothing yet, and the answer it waits for. */
async function waiting(): Promise<ServerResponse> {
  server = createServer();
  cutStalledReaders(server, 50);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.on('error', () => {}); // it is cut
  caller.write('GET / HTTP/1.1\r\nHost: c\r\n\r\n');
  const [, response] = await once(server, 'request');
  return response as ServerResponse;
}

it('cuts a caller that takes nothing of its answer', async () => {
  const response = await waiting();
  const closed = once(response, 'close');
  response.write(Buffer.alloc(64 * 1024 * 1024)); // More than the kernel buffers.
  await closed;
  expect(response.writableFinished).toBe(false);
});

it('waits for an answer that is not there yet, however long', async () => {
  const response = await waiting();
  await once(response, 'timeout');
  response.end('late');
  const [answer] = await once(caller, 'data');
  expect(String(answer)).toMatch(/late/);
});

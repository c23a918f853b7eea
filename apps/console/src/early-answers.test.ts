import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { letBodiesEnd } from './early-answers.ts';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** A server that refuses every body before it has come. */
async function refusing(): Promise<number> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(413, { 'content-length': 2 }).end('no');
  });
  letBodiesEnd(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function sending(port: number, connection: string): { socket: Socket; faults: Error[]; got: () => string } {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const faults: Error[] = [];
  let text = '';
  socket.on('error', (error) => faults.push(error));
  socket.setEncoding('latin1').on('data', (more: string) => {
    text += more;
  });
  socket.write(
    `POST / HTTP/1.1\r\nHost: c\r\nConnection: ${connection}\r\nContent-Length: 2000000\r\n\r\n${'x'.repeat(1_000_000)}`,
  );
  return { socket, faults, got: () => text };
}

describe('an answer before the body has come', () => {
  it('reaches a caller that asks to close the connection, and its body is read', async () => {
    const { socket, faults, got } = sending(await refusing(), 'close');
    await once(socket, 'end');
    expect(got()).toMatch(/^HTTP\/1\.1 413 .*no$/s);
    const closed = once(socket, 'close');
    socket.end('x'.repeat(1_000_000));
    await closed;
    expect(faults).toEqual([]);
  });
  it('does not wait for a body that never comes', async () => {
    const { socket, got } = sending(await refusing(), 'close');
    const served = once(server, 'connection').then(([one]) => once(one as Socket, 'close'));
    await once(socket, 'end');
    await served;
    expect(got()).toMatch(/no$/);
    socket.destroy();
  });
  it('leaves a persistent connection to the next request', async () => {
    const { socket, got } = sending(await refusing(), 'keep-alive');
    socket.write(
      `${'x'.repeat(1_000_000)}POST / HTTP/1.1\r\nHost: c\r\nConnection: close\r\nContent-Length: 1\r\n\r\nx`,
    );
    await once(socket, 'end');
    expect(got().match(/HTTP\/1\.1 413/g)).toHaveLength(2);
    socket.destroy();
  });
});

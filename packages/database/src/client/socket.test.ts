import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type DatabaseAddress, parseDatabaseAddress } from './address.ts';
import { openSocket } from './owned-socket.ts';

const opened: Server[] = [];
const sockets = new Set<Socket>();
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of opened) server.close();
});

/** A server that receives each connection. @returns its address, with verified TLS */
async function serving(receive: (socket: Socket) => void): Promise<DatabaseAddress> {
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    receive(socket);
  }).listen(0, '127.0.0.1');
  opened.push(server);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { ...parseDatabaseAddress(`postgres://ada:secret@127.0.0.1:${port}/d`), tls: { ca: undefined } };
}

describe('a socket to the database', () => {
  it('with TLS asks for it before it says anything else, and never goes on without it', async () => {
    const heard: Buffer[] = [];
    const address = await serving((socket) => {
      socket.on('data', (bytes: Buffer) => {
        heard.push(bytes);
        socket.write('N');
      });
    });
    await expect(openSocket(address, 60_000)).rejects.toThrow('does not offer TLS');
    expect(heard).toEqual([Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f])]);
  });

  it.each([
    ['text in clear behind its consent', 'SR\0\0\0\u0008\0\0\0\0'],
    ['an error of another protocol', 'E\0\0\0\u0008SFATAL\0\0'],
    ['a page of the web', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('with TLS is refused where the server sends %s', async (_, answer) => {
    const address = await serving((socket) => socket.once('data', () => socket.write(answer)));
    await expect(openSocket(address, 60_000)).rejects.toThrow('does not offer TLS');
  });

  it('with TLS fails where the server agrees and then speaks something else', async () => {
    const address = await serving((socket) => {
      socket.once('data', () => {
        socket.write('S');
        socket.once('data', () => socket.write('this is no TLS at all'));
      });
    });
    await expect(openSocket(address, 60_000)).rejects.toMatchObject({
      code: expect.stringMatching(/^ERR_SSL/),
    });
  });

  it('fails where the server hangs up before it answered', async () => {
    const address = await serving((socket) => socket.once('data', () => socket.destroy()));
    await expect(openSocket(address, 60_000)).rejects.toThrow(/closed the connection|ECONNRESET/);
  });

  it('fails once its time is over where the server says nothing', async () => {
    const closed = Promise.withResolvers<void>();
    const address = await serving((socket) => socket.once('close', () => closed.resolve()).resume());
    await expect(openSocket(address, 20)).rejects.toThrow('the server does not answer');
    await closed.promise; // the server is not left with an open connection
  });

  it('can be cut while it is being opened', async () => {
    const address = await serving((socket) => socket.resume());
    const opening = openSocket(address, 60_000, (socket) => socket.destroy());
    await expect(opening).rejects.toThrow('closed the connection');
  });

  it('reaches a server by the folder of its socket file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'socket-'));
    const server = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(
      join(folder, '.s.PGSQL.5432'),
    );
    opened.push(server);
    await once(server, 'listening');
    const address = parseDatabaseAddress(`postgres://ada@/d?host=${encodeURIComponent(folder)}`);
    const socket = await openSocket(address, 60_000);
    const [bytes] = (await once(socket, 'data')) as [Buffer];
    expect(bytes.toString()).toBe('hello');
    socket.destroy();
    rmSync(folder, { recursive: true, force: true });
  });

  it('names what is missing where there is no socket file', async () => {
    const address = parseDatabaseAddress(`postgres://ada@/d?host=${encodeURIComponent('/nowhere')}`);
    await expect(openSocket(address, 60_000)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

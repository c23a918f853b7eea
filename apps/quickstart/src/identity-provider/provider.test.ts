import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listenForBoth } from './provider.ts';

const authority = createAuthority('demo authority');

let server: Server;
let port: number;
let sockets: Socket[] = [];
beforeAll(async () => {
  server = listenForBoth(
    async (request, response) => {
      if (request.url === '/fault') throw new Error('a fault of a page');
      let body = '';
      for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
      response.end(`${request.method} ${request.url} ${body}`);
    },
    authority.certify(['127.0.0.1']),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(() => server.close());

function ask(protocol: 'http' | 'https', path: string, body = ''): Promise<string> {
  const options = { host: '127.0.0.1', port, path, method: 'POST', agent: false, ca: authority.certificate };
  return new Promise((resolve, reject) => {
    const outgoing = (protocol === 'https' ? secureRequest : plainRequest)(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      answer.once('end', () => resolve(text));
    });
    outgoing.once('error', reject).end(body);
  });
}

function open(): Socket {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  sockets.push(socket);
  return socket;
}

describe('one port for both', () => {
  it.each(['http', 'https'] as const)('answers %s, with bodies of any length', async (protocol) => {
    expect(await ask(protocol, '/short', 'x')).toBe('POST /short x');
    const long = 'y'.repeat(300_000);
    expect(await ask(protocol, '/long', long)).toBe(`POST /long ${long}`);
  });

  it('answers both at once', async () => {
    const all = Array.from({ length: 20 }, (_, nth) => ask(nth % 2 === 0 ? 'http' : 'https', `/${nth}`));
    expect(await Promise.all(all)).toEqual(all.map((_, nth) => `POST /${nth} `));
  });

  it('answers a request that arrives byte by byte', async () => {
    const socket = open().setNoDelay(true);
    await once(socket, 'connect');
    for (const letter of 'GET /slow HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'.split('')) {
      socket.write(letter);
      await new Promise(setImmediate);
    }
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toContain('GET /slow');
  });

  it.each([
    ['neither of the two', '\0\x01\x02'],
    ['a broken handshake', '\x16\x03\x01\x00\x05hello'],
    ['a client that leaves at once', ''],
  ])('survives %s', async (_what, bytes) => {
    const socket = open();
    await once(socket, 'connect');
    const closed = once(socket.resume(), 'close');
    socket.end(bytes, 'latin1');
    await closed;
    expect(await ask('https', '/after')).toBe('POST /after ');
  });

  it.each(['http', 'https'] as const)(
    'breaks an answer over %s off that fails, and serves the next',
    async (protocol) => {
      await expect(ask(protocol, '/fault')).rejects.toThrow(/hang up|ECONNRESET/);
      expect(await ask(protocol, '/after')).toBe('POST /after ');
    },
  );

  it('serves others beside connections that are silent', async () => {
    const silent = [open(), open(), open()];
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    expect(await ask('http', '/beside')).toBe('POST /beside ');
  });
});

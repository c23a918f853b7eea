import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../profile/on-premise.ts';
import { raw } from '../testing/caller.ts';
import type { Received } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

describe.each([
  ['hosted', undefined],
  ['restricted', onPremise],
])('requests that do not wait for the answer before, %s', (_, profile) => {
  let world: World;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    world = await startWorld(profile === undefined ? {} : { profile });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  afterAll(() => world.stop());

  const one = (path: string, more = ''): string =>
    `POST /chat${path} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${world.key}\r\nContent-Length: 2\r\n${more}\r\n{}`;
  const received = (path: string): Received[] => world.engine.received.filter(({ url }) => url.endsWith(path));

  /** A caller that sends everything at once. */
  function caller(text: string): { socket: Socket; output: () => string } {
    const socket = connect(world.port, '127.0.0.1', () => socket.write(text));
    sockets.push(socket);
    let output = '';
    socket.on('error', () => {});
    socket.setEncoding('latin1').on('data', (part: string) => {
      output += part;
    });
    return { socket, output: () => output };
  }

  /** The first request is answered in part; the function sends the rest. */
  function begun(path: string): Promise<() => void> {
    const answered = Promise.withResolvers<() => void>();
    world.engine.on(path, (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: begun\n\n', () => answered.resolve(() => response.end('data: done\n\n')));
    });
    return answered.promise;
  }

  it('are started one after the other', async () => {
    const first = begun('/first');
    const { output } = caller(one('/first') + one('/second', 'Connection: close\r\n'));
    const finish = await first;
    await eventually(() => expect(output()).toContain('data: begun'));
    expect(received('/second')).toEqual([]);
    finish();
    await eventually(() =>
      expect(output()).toMatch(/data: begun.*data: done.*\r\n0\r\n\r\nHTTP\/1\.1 200 OK.*"usage"/s),
    );
  });

  it('are refused in their turn', async () => {
    const text = await raw(
      world.port,
      one('/x') + one('/x').replace(world.key, 'wrong') + one('/x', 'Connection: close\r\n'),
    );
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  it.each([
    ['no HTTP', () => 'no HTTP\r\n\r\n'],
    ['of another version', () => 'GET /chat/x HTTP/1.2\r\nHost: g\r\n\r\n'],
    [
      'a broken chunk',
      () => one('/x').replace('Content-Length: 2', 'Transfer-Encoding: chunked').replace('{}', 'zz\r\n'),
    ],
  ])('end with one that is %s, refused after the answers before it', async (_name, last) => {
    const first = begun('/read');
    const { socket, output } = caller(one('/read') + one('/x') + last());
    const closed = once(socket, 'close');
    const finish = await first;
    socket.write('and more of it');
    await raw(world.port, one('/x', 'Connection: close\r\n'));
    finish();
    await closed;
    expect(output().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
    expect(output()).toMatch(/data: done\n\n\r\n0\r\n\r\nHTTP.*"usage".*Malformed request/s);
  });

  it('end with one that the provider breaks off; what was answered before is whole', async () => {
    world.engine.on('/cut', (_request, response) => {
      response.writeHead(200, { 'content-length': '500' });
      response.write('some', () => response.destroy());
    });
    const first = begun('/before');
    const { socket, output } = caller(one('/before') + one('/cut') + one('/never'));
    const closed = once(socket, 'close');
    (await first)();
    await closed;
    expect(output()).toMatch(/data: done\n\n\r\n0\r\n\r\nHTTP\/1\.1 200 OK.*\r\n\r\nsome$/s);
    expect(received('/never')).toEqual([]);
  });

  it('are not started for a caller who has left', async () => {
    const first = begun('/left');
    const { socket } = caller(one('/left') + one('/after') + one('/after'));
    await first;
    socket.destroy();
    await received('/left')[0]?.closed;
    await raw(world.port, one('/x', 'Connection: close\r\n'));
    expect(received('/after')).toEqual([]);
  });

  it.each<[string, string, () => string]>([
    ['line', '/in-a-line', () => 'POST /chat/af'],
    ['head', '/in-a-head', () => 'POST /chat/after HTTP/1.1\r\nHost: g\r\nConte'],
    ['body', '/in-a-body', () => one('/after').replace('Content-Length: 2', 'Content-Length: 200')],
  ])('are aborted with a caller who leaves in the middle of the %s of the next', async (_name, path, partly) => {
    const first = begun(path);
    const { socket } = caller(one(path) + partly());
    await first;
    socket.destroy();
    await received(path)[0]?.closed;
    expect(received('/after')).toEqual([]);
  });

  it('are all answered, up to 256 after the first', async () => {
    const text = await raw(world.port, one('/x').repeat(256) + one('/x', 'Connection: close\r\n'));
    expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(257);
  });

  it('end the connection where more of them wait', async () => {
    const first = begun('/flooded');
    const { socket } = caller(one('/flooded'));
    await first;
    const closed = once(socket, 'close');
    socket.write(one('/flood').repeat(257));
    await closed;
    expect(received('/flood')).toEqual([]);
    await received('/flooded')[0]?.closed;
  });

  it('leave no tunnel’s refusal in the middle of an answer', async () => {
    const first = begun('/tunnelled');
    const { socket, output } = caller(one('/tunnelled'));
    await first;
    await eventually(() => expect(output()).toContain('data: begun'));
    const closed = once(socket, 'close');
    socket.write('CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n');
    await closed;
    expect(output()).not.toContain('501');
  });
});

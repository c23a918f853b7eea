import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from './start.ts';

let listening: Listening;
afterEach(() => listening.close(0));

/** Sends a head that expects the 100, then the body once the 100 arrived; resolves with all received text. */
async function expecting(answer: (request: Request) => Promise<Response>): Promise<string> {
  const opened = await listen({ host: '127.0.0.1', port: 0 }, answer);
  if ('fault' in opened) throw new Error(opened.fault);
  listening = opened;
  const socket = connect({ port: listening.port, host: '127.0.0.1' }).setEncoding('latin1');
  let got = '';
  socket.on('data', (more: string) => {
    if (!got.includes(' 100 ') && `${got}${more}`.includes(' 100 ')) socket.write('{"a":1}');
    got += more;
  });
  socket.write('POST / HTTP/1.1\r\nHost: c\r\nExpect: 100-continue\r\nContent-Length: 7\r\n\r\n');
  await once(socket, 'end');
  socket.end();
  return got;
}

describe('a body that a caller offers', () => {
  it('is not requested if the head is refused, and the connection ends: nothing shows whether the body follows', async () => {
    const got = await expecting(async () => new Response('no', { status: 401 }));
    expect(got).toMatch(/^HTTP\/1\.1 401 [^]*\r\n\r\nno$/);
    expect(got).toMatch(/^connection: close\r$/im);
  });
  it('is asked for when it is read', async () => {
    const got = await expecting(async (request) => new Response(`read ${await request.text()}`));
    expect(got).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 [^]*\r\n\r\nread \{"a":1\}$/);
  });
});

it('where a request came from is known, although its caller reset the connection at once', async () => {
  const asked = Promise.withResolvers<string | undefined>();
  const opened = await listen({ host: '127.0.0.1', port: 0 }, async ({ url }, { incoming }) => {
    if (url.endsWith('/second')) asked.resolve(incoming.socket.remoteAddress);
    return new Response('heard');
  });
  if ('fault' in opened) throw new Error(opened.fault);
  listening = opened;
  const socket = connect({ port: listening.port, host: '127.0.0.1' });
  socket.write('GET /first HTTP/1.1\r\nHost: c\r\n\r\n');
  await once(socket, 'data');
  socket.write('GET /second HTTP/1.1\r\nHost: c\r\n\r\n', () => socket.resetAndDestroy());
  expect(await asked.promise).toBe('127.0.0.1');
});

describe('a file that its reader takes nothing of any more', () => {
  it('is not made any further', async () => {
    const ended = Promise.withResolvers<string>();
    const endless = new ReadableStream({
      pull: (file) => file.enqueue(new Uint8Array(1_000_000)),
      cancel: () => ended.resolve('cancelled'),
    });
    const opened = await listen({ host: '127.0.0.1', port: 0, stalledMilliseconds: 50 }, async () => {
      return new Response(endless);
    });
    if ('fault' in opened) throw new Error(opened.fault);
    listening = opened;
    const socket = connect({ port: listening.port, host: '127.0.0.1' });
    socket.on('error', () => {}); // it is cut
    socket.write('GET / HTTP/1.1\r\nHost: c\r\n\r\n');
    expect(await ended.promise).toBe('cancelled');
    socket.destroy();
  });
});

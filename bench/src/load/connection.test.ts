import { assert, asyncProperty, integer, uniqueArray } from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { answering, inParts, plain } from '../testing/answers.ts';
import { Connection } from './connection.ts';

const REQUEST = Buffer.from('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n');
const CHUNKED =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n10\r\n0\r\nsecond\r\n0\r\n\r0\r\n0\r\n\r\n';
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function serve(answer: Parameters<typeof answering>[0]): Promise<number> {
  const { port, close } = await answering(answer);
  closing.push(close);
  return port;
}

async function connect(port: number, onPart: ((part: Buffer) => void) | null = null): Promise<Connection> {
  const connection = await Connection.open(port, REQUEST, onPart);
  closing.push(() => connection.close());
  return connection;
}

describe('an exchange', () => {
  it('ends with the status once the whole answer is there', async () => {
    const connection = await connect(await serve((socket) => socket.write(plain('hello', '503 Busy'))));
    const { status, milliseconds } = await connection.exchange();
    expect(status).toBe(503);
    expect(milliseconds).toBeGreaterThan(0);
  });

  it('sends the same request again on the same connection', async () => {
    const requests: string[] = [];
    const port = await serve((socket, request, number) => {
      requests.push(request);
      socket.write(plain('x'.repeat(number), number === 2 ? '404 Not Found' : '200 OK'));
    });
    const connection = await connect(port);
    const statuses = [];
    for (let left = 3; left > 0; left -= 1) statuses.push((await connection.exchange()).status);
    expect(statuses).toEqual([200, 404, 200]);
    expect(requests).toEqual([REQUEST, REQUEST, REQUEST].map(String));
  });

  it('ends with an answer without a body', async () => {
    const connection = await connect(await serve((socket) => socket.write(plain(''))));
    expect(await connection.exchange()).toMatchObject({ status: 200 });
    expect(await connection.exchange()).toMatchObject({ status: 200 });
  });

  it('reads a chunked answer to its last chunk, wherever packets end', async () => {
    let parts: readonly string[] = [];
    const port = await serve((socket) => void inParts(socket, parts));
    const received: string[] = [];
    const connection = await connect(port, (part) => received.push(part.toString('latin1')));
    const body = CHUNKED.slice(CHUNKED.indexOf('\r\n\r\n') + 4);
    await assert(
      asyncProperty(uniqueArray(integer({ min: 1, max: CHUNKED.length - 1 }), { maxLength: 4 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((one, other) => one - other), CHUNKED.length];
        parts = at.slice(1).map((to, index) => CHUNKED.slice(at[index], to));
        received.length = 0;
        expect((await connection.exchange()).status).toBe(200);
        expect(received.join('')).toBe(body);
      }),
      { numRuns: 40 },
    );
  });

  it('hands over the parts of the body as they come, without the head', async () => {
    const answer = plain('one two three');
    const port = await serve((socket) => void inParts(socket, [answer.slice(0, 20), answer.slice(20, -5), 'three']));
    const received: string[] = [];
    const connection = await connect(port, (part) => received.push(part.toString()));
    await connection.exchange();
    expect(received.join('')).toBe('one two three');
  });

  it.each([
    ['before an answer', ''],
    ['in the head', 'HTTP/1.1 200 OK\r\ncontent-le'],
    ['in the body', plain('hello').slice(0, -1)],
  ])('fails where the connection is closed %s', async (_, part) => {
    const connection = await connect(await serve((socket) => socket.end(part)));
    await expect(connection.exchange()).rejects.toThrow('the connection was closed');
  });

  it('fails on a connection that was closed while it was idle, and does not wait for ever', async () => {
    let ended: Promise<unknown> = Promise.resolve();
    const port = await serve((socket) => {
      ended = new Promise((done) => {
        socket.once('close', done);
      });
      socket.end(plain('bye'));
    });
    const connection = await connect(port);
    expect((await connection.exchange()).status).toBe(200);
    await ended;
    await expect(connection.exchange()).rejects.toThrow('the connection was closed');
  });
});

it('a connection that nobody takes is refused', async () => {
  const { port, close } = await answering(() => undefined);
  close();
  await expect(Connection.open(port, REQUEST)).rejects.toThrow('ECONNREFUSED');
});

import { describe, expect, it } from 'vitest';
import { startRawEngine } from '../testing/raw-engine.ts';
import { CLIENTS, type ClientName, outcomeOf } from './testing/clients.ts';

const OK = 'HTTP/1.1 200 OK\r\n';
const NAMES = Object.keys(CLIENTS) as ClientName[];

describe.each(NAMES)('a request, written by the %s client', (name) => {
  it.each([
    ['GET', null, ''],
    ['POST', null, 'content-length: 0\r\n'],
    ['DELETE', null, ''],
    ['POST', 'body', 'content-length: 4\r\n'],
    ['DELETE', 'body', 'content-length: 4\r\n'],
    ['POST', 'x'.repeat(100_000), 'content-length: 100000\r\n'],
  ])('of %s with the body %.10j has the length %j', async (method, body, length) => {
    const heads: string[] = [];
    const engine = await startRawEngine((socket, head) => {
      heads.push(head);
      socket.write(`${OK}content-length: 2\r\n\r\nok`);
    });
    const client = CLIENTS[name](engine.url);
    const headers = ['X-Odd', 'caf\u00e9', 'x-odd', '2'];
    const request = { method, path: '/a//b?c=%20\u00e9', headers, body: body === null ? null : Buffer.from(body) };
    expect((await outcomeOf(client, request)).error).toBeNull();
    await client.destroy();
    await engine.stop();
    const host = engine.url.slice('http://'.length);
    const line = `${method} /a//b?c=%20\u00e9 HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive`;
    expect(`${heads[0]}\r\n`).toBe(`${line}\r\nX-Odd: caf\u00e9\r\nx-odd: 2\r\n${length}`);
  });

  it.each([
    [{ path: '/a b' }],
    [{ path: '/a\r\nx: y' }],
    [{ method: 'GE T' }],
    [{ headers: ['x', 'a\r\ny: z'] }],
    [{ headers: ['x', 'a\0b'] }],
    [{ headers: ['x y', 'a'] }],
    [{ headers: ['x', '\u{1f600}'] }],
  ])('%j is not sent', async (request) => {
    const engine = await startRawEngine((socket) => socket.end(`${OK}content-length: 0\r\n\r\n`));
    const client = CLIENTS[name](engine.url);
    expect((await outcomeOf(client, request)).error).toBeInstanceOf(Error);
    expect(engine.requests()).toBe(0);
    expect((await outcomeOf(client)).error).toBeNull();
    await client.destroy();
    await engine.stop();
  });

  it('fails where no server listens, and during the shutdown', async () => {
    const engine = await startRawEngine(() => {});
    const client = CLIENTS[name](engine.url);
    const running = outcomeOf(client);
    await client.destroy();
    expect((await running).error).toBeInstanceOf(Error);
    await engine.stop();
    const other = CLIENTS[name](engine.url);
    expect((await outcomeOf(other)).error).toMatchObject({ code: 'ECONNREFUSED' });
    await other.destroy();
  });

  it('ends as it would where the client is closed meanwhile', async () => {
    const answers: (() => void)[] = [];
    const engine = await startRawEngine((socket) =>
      answers.push(() => socket.write(`${OK}content-length: 2\r\n\r\nok`)),
    );
    const client = CLIENTS[name](engine.url);
    const running = outcomeOf(client);
    while (answers.length === 0) await new Promise(setImmediate);
    client.close();
    answers[0]?.();
    expect((await running).body).toBe('ok');
    await client.destroy();
    await engine.stop();
  });
});

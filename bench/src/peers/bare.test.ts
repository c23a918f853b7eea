import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bare } from './bare.ts';
import { direct } from './direct.ts';
import type { Peer } from './peer.ts';

const seen: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[] = [];
async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  seen.push({ url: request.url, headers: request.headers, body });
  if (body === 'break') {
    response.destroy();
    return;
  }
  response.writeHead(body === 'large' ? 200 : 418, { 'x-engine': 'yes', 'content-type': 'text/plain' });
  response.end(body === 'large' ? 'x'.repeat(2 ** 20) : `answer to ${body}`);
}
const server = createServer((request, response) => {
  take(request, response).catch(() => response.destroy());
});
let peer: Peer;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  peer = await bare(new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
});
afterAll(async () => {
  await peer.stop();
  server.close();
  server.closeAllConnections();
});
const ask = (body: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${peer.target.port}/v1/x?y=1`, {
    method: 'POST',
    body,
    headers: { authorization: 'Bearer k' },
  });

describe('the bare proxy', () => {
  it('passes a request and its answer, with their headers', async () => {
    const answer = await ask('hello');
    expect([answer.status, answer.headers.get('x-engine'), await answer.text()]).toEqual([
      418,
      'yes',
      'answer to hello',
    ]);
    expect(seen.at(-1)).toMatchObject({ url: '/v1/x?y=1', headers: { authorization: 'Bearer k' }, body: 'hello' });
  });

  it('passes a large answer whole', async () => {
    expect((await (await ask('large')).text()).length).toBe(2 ** 20);
  });

  it('breaks where the engine breaks, and serves the next call', async () => {
    await expect(ask('break')).rejects.toThrow('fetch failed');
    expect((await ask('again')).status).toBe(418);
  });

  it('passes no header that is of one connection alone', async () => {
    await fetch(`http://127.0.0.1:${peer.target.port}/v1/x`, { method: 'POST', body: 'x', headers: { 'x-own': '1' } });
    const headers = seen.at(-1)?.headers;
    expect(headers?.['x-own']).toBe('1');
    expect(headers?.host).toBe(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  });

  it('serves many calls at once, each with its own answer', async () => {
    const bodies = Array.from({ length: 50 }, (_, number) => `call ${number}`);
    const answers = await Promise.all(bodies.map(async (body) => (await ask(body)).text()));
    expect(answers).toEqual(bodies.map((body) => `answer to ${body}`));
  });

  it('is a process of its own, without a database, whose processor time counts', () => {
    expect(peer.pid).toBeGreaterThan(0);
    expect(peer.pid).not.toBe(process.pid);
    expect(peer.postmaster).toBeNull();
  });
});

it('the direct way leads to the engine itself', async () => {
  const { target, pid } = direct(new URL('http://127.0.0.1:4711'));
  expect([target.port, pid]).toEqual([4711, null]);
});

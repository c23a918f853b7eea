import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';

const KEY = `gwk_${'0a'.repeat(24)}`;
const asked = { endpoint: 'chat', key: KEY, message: 'Hello' };

interface Seen {
  readonly url: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A gateway that gives scripted answers and records the requests. */
let gateway: Server;
let seen: Seen[] = [];
let reply: { status: number; headers?: Record<string, string>; text: string };
let here: TestConsole;
let without: TestConsole;

beforeAll(async () => {
  gateway = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, text });
      response.writeHead(reply.status, reply.headers).end(reply.text);
    });
  }).listen(0, '127.0.0.1');
  await once(gateway, 'listening');
  const { port } = gateway.address() as AddressInfo;
  [here, without] = await Promise.all([
    startTestConsole({ environment: { GATEWAY_PUBLIC_URL: `http://127.0.0.1:${port}` } }),
    startTestConsole(),
  ]);
});
afterAll(async () => {
  gateway.close();
  await Promise.all([here.stop(), without.stop()]);
});
beforeEach(() => {
  seen = [];
  reply = { status: 200, text: '{"choices":[{"message":{"content":"Hi"}}]}' };
});

describe('an endpoint that is tried from the console', () => {
  it('is called at the public address with the key that was typed, and nothing of the console', async () => {
    const answer = await here.pair.post('/api/endpoint-calls', asked);
    expect([answer.status, answer.json]).toEqual([200, { status: 200, fault: null, body: reply.text }]);
    expect(seen).toMatchObject([{ url: '/chat/v1/chat/completions', headers: { authorization: `Bearer ${KEY}` } }]);
    expect(JSON.parse(seen[0]?.text ?? '')).toEqual({ model: 'chat', messages: [{ role: 'user', content: 'Hello' }] });
    expect(Object.keys(seen[0]?.headers ?? {}).filter((name) => /cookie|forwarded|gateway/.test(name))).toEqual([]);
  });
  it.each([401, 403, 404, 502])('shows what the gateway refuses, as its answer: %i', async (status) => {
    reply = { status, text: '{"error":"Unauthorized."}' };
    expect((await here.pair.post('/api/endpoint-calls', asked)).json).toEqual({
      status,
      fault: null,
      body: reply.text,
    });
  });
  it('follows no redirect: the key goes to the gateway alone', async () => {
    reply = { status: 302, headers: { location: '/elsewhere' }, text: '' };
    expect((await here.pair.post('/api/endpoint-calls', asked)).json).toMatchObject({ status: 302 });
    expect(seen).toHaveLength(1);
  });
  it('shows the beginning of a long answer', async () => {
    reply = { status: 200, text: 'x'.repeat(1_000_000) };
    expect((await here.pair.post('/api/endpoint-calls', asked)).json.body).toHaveLength(65_536);
  });
  it('is open to callers who may administer endpoints only', async () => {
    const administrator = await here.holder('administrateur-d-instance');
    const user = await here.holder('utilisateur-standard');
    expect((await administrator.post('/api/endpoint-calls', asked)).status).toBe(200);
    expect((await user.post('/api/endpoint-calls', asked)).status).toBe(403);
    expect((await here.nobody.post('/api/endpoint-calls', asked)).status).toBe(401);
    expect(seen).toHaveLength(1);
  });
  it.each([
    ['endpoint', { ...asked, endpoint: '../v' }],
    ['endpoint', { ...asked, endpoint: 'a/b' }],
    ['key', { ...asked, key: 'a\r\nx-evil: 1' }],
    ['key', { ...asked, key: '' }],
    ['message', { ...asked, message: 'x'.repeat(4_001) }],
    ['url', { ...asked, url: 'http://169.254.169.254/' }],
  ])('refuses an invalid body, and repeats no key: %s', async (field, body) => {
    const answer = await here.pair.post('/api/endpoint-calls', body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.json)).toContain(field);
    expect(answer.text).not.toContain('gwk_0a');
    expect(seen).toEqual([]);
  });
  it('keeps the key nowhere: neither in a log nor in what the console says', async () => {
    await here.pair.post('/api/endpoint-calls', asked);
    const rows = await here.database.sql`
      select to_jsonb(authorization_decisions)::text as text from authorization_decisions
      union all select to_jsonb(administration_actions)::text from administration_actions`;
    expect([...rows.map(({ text }) => text), ...here.said, ...here.faults].join('\n')).not.toContain('gwk_0a');
  });
  it('names the variable to set if the gateway address is unknown', async () => {
    const answer = await without.pair.post('/api/endpoint-calls', asked);
    expect(answer.status).toBe(400);
    expect(answer.json.fields.endpoint).toContain('GATEWAY_PUBLIC_URL');
  });
  it('reports why the gateway is not reachable', async () => {
    const { port } = gateway.address() as AddressInfo;
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const free = (closed.address() as AddressInfo).port;
    await new Promise((done) => closed.close(done));
    expect(free).not.toBe(port);
    const lost = await startTestConsole({ environment: { GATEWAY_PUBLIC_URL: `http://127.0.0.1:${free}` } });
    const answer = await lost.pair.post('/api/endpoint-calls', asked);
    await lost.stop();
    expect(answer.json).toMatchObject({ status: null, body: null, fault: expect.stringContaining('ECONNREFUSED') });
  });
});

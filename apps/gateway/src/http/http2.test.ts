import { once } from 'node:events';
import { constants, type OutgoingHttpHeaders } from 'node:http2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HELLO } from '../testing/caller.ts';
import { COMPLETION } from '../testing/engine.ts';
import { startTlsWorld, type TlsWorld } from './testing/tls-world.ts';

let tls: TlsWorld;
beforeAll(async () => {
  tls = await startTlsWorld();
});
afterEach(() => tls.endSessions());
afterAll(() => tls.stop());
describe('HTTP/2, agreed on by ALPN', () => {
  it('relays calls, many concurrently on one connection', async () => {
    const session = tls.http2();
    const answers = await Promise.all(Array.from({ length: 20 }, () => tls.call(session, '/chat/v1/chat/completions')));
    for (const { status, text, code } of answers) {
      expect([status, JSON.parse(text), code]).toEqual([200, COMPLETION, 0]);
    }
    expect(session.alpnProtocol).toBe('h2');
    const { headers, body } = tls.world.engine.received.at(-1)!;
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'served-model' });
    expect(Object.keys(headers).filter((name) => name.startsWith(':'))).toEqual([]);
  });
  it('takes a body without a length, in parts', async () => {
    const text = JSON.stringify({ ...HELLO, padding: 'x'.repeat(300_000) });
    const { status } = await tls.call(tls.http2(), '/chat/long', {}, [text.slice(0, 100_000), text.slice(100_000)]);
    expect(status).toBe(200);
    expect(JSON.parse(tls.world.engine.received.at(-1)!.body.toString())).toMatchObject({
      padding: 'x'.repeat(300_000),
    });
  });
  it('needs no body at all', async () => {
    const session = tls.http2();
    const stream = session.request({ ':method': 'GET', ':path': '/chat/models', 'x-api-key': tls.world.key });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    expect(tls.world.engine.received.at(-1)?.method).toBe('GET');
  });
  it('forwards events as they arrive', async () => {
    tls.world.engine.on('/events', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
    });
    const stream = tls.http2().request({
      ':method': 'POST',
      ':path': '/chat/events',
      authorization: `Bearer ${tls.world.key}`,
    });
    stream.end('{"stream":true}');
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: one\n\n');
    const received = tls.world.engine.received.at(-1)!;
    stream.close(constants.NGHTTP2_CANCEL);
    await received.closed;
  });
  it('ends a broken answer as broken, and the connection continues', async () => {
    tls.world.engine.on('/broken', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n', () => response.destroy());
    });
    const session = tls.http2();
    const { status, text, code } = await tls.call(session, '/chat/broken', {}, ['{"stream":true}']);
    expect([status, text]).toEqual([200, 'data: one\n\n']);
    expect(code).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    expect((await tls.call(session, '/chat/v1/x')).status).toBe(200);
  });
  it('refuses as HTTP/1.1 does', async () => {
    const session = tls.http2();
    const refused = async (path: string, more: OutgoingHttpHeaders) => {
      const { status, text } = await tls.call(session, path, more);
      return [status, text.startsWith('{') ? (JSON.parse(text) as { error: string }).error : text];
    };
    expect(await refused('/chat/x', { authorization: '' })).toEqual([
      401,
      expect.stringContaining('Missing credentials'),
    ]);
    expect(await refused('/nowhere', {})).toEqual([404, 'Unknown endpoint: nowhere']);
    expect(await refused('/', {})).toEqual([404, expect.not.stringContaining('{')]);
  });
  it.each(['/chat/caf\u00e9', '/caf\u00e9', '/chat/x?q=\u65e5'])(
    'refuses bytes that a target cannot contain (%s)',
    async (path) => {
      const before = tls.world.engine.received.length;
      expect((await tls.call(tls.http2(), path)).status).toBe(400);
      expect(tls.world.engine.received).toHaveLength(before);
    },
  );
  it('cuts a body that continues after a refusal, and the connection continues', async () => {
    const session = tls.http2();
    const stream = session.request({ ':method': 'POST', ':path': '/chat/x' });
    stream.on('error', () => {});
    let status = 0;
    stream.on('response', (headers) => {
      status = Number(headers[':status']);
    });
    stream.resume();
    const chunk = Buffer.alloc(256 * 1024);
    let sent = 0;
    const pour = (error?: Error | null): void => {
      if (error || stream.destroyed || !stream.writable) return;
      sent += chunk.length;
      stream.write(chunk, pour);
    };
    pour();
    await new Promise((resolve) => stream.once('close', resolve));
    expect([status, stream.rstCode]).toEqual([401, constants.NGHTTP2_NO_ERROR]);
    expect(sent).toBeLessThan(64 * 1024 * 1024);
    expect((await tls.call(session, '/chat/v1/x')).status).toBe(200);
  });
  it('records the source of a call', async () => {
    await tls.call(tls.http2(), '/chat/from', { 'x-request-id': 'over-http2' });
    expect((await tls.world.entries('over-http2'))[0]).toMatchObject({ source_address: '127.0.0.1' });
  });
  it('refuses a tunnel', async () => {
    const stream = tls.http2().request({ ':method': 'CONNECT', ':authority': 'evil.example:443' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(501);
  });
  it('distinguishes its own pages from others, which may not call the query server', async () => {
    const session = tls.http2();
    const ping = (origin: string) =>
      tls.call(session, '/v/_mcp', { origin }, ['{"jsonrpc":"2.0","id":1,"method":"ping"}']);
    const own = await ping(new URL(tls.world.gateway.address).origin);
    expect([own.status, JSON.parse(own.text)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect((await ping('https://evil.example')).status).toBe(403);
  });

  it('joins split cookie fields', async () => {
    await tls.call(tls.http2(), '/chat/cookies', { cookie: ['a=1', 'b=2'] });
    expect(tls.world.engine.received.at(-1)?.headers.cookie).toBe('a=1; b=2');
  });
});

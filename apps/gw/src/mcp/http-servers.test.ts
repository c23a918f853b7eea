import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { failureOf } from '../testing/failure.ts';
import { httpServer, message, NAMED, type Reply, said } from './testing/http-server.ts';

const ok = (content: string) => ({ outcome: 'succeeded', content });
const stream: (...events: readonly object[]) => Reply =
  (...events) =>
  (response, asked) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of events)
      response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...event })}\n\n`);
    response.end(`event: message\ndata: ${message(asked, said('from a stream'))}\n\n`);
  };

describe('a server at an address', () => {
  it('is sent the headers of the configuration with every request, and its own session from then on', async () => {
    const server = await httpServer(
      ({ method, params }) =>
        method === 'initialize'
          ? (response, asked) => {
              response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'session-1' });
              const { protocolVersion } = params;
              response.end(
                message(asked, {
                  protocolVersion,
                  capabilities: { tools: {} },
                  serverInfo: { name: 's', version: '1' },
                }),
              );
            }
          : undefined,
      { headers: { authorization: 'Bearer the-secret' } },
    );
    expect(await server.call({ a: [1] })).toEqual(ok('{"a":[1]}'));
    for (const method of ['initialize', 'notifications/initialized', 'tools/list', 'tools/call']) {
      const [asked] = server.asked(method);
      expect([method, asked?.headers.authorization]).toEqual([method, 'Bearer the-secret']);
      expect(asked?.headers['mcp-session-id']).toBe(method === 'initialize' ? undefined : 'session-1');
    }
  });

  it('may answer as a stream, after messages about its progress', async () => {
    const server = await httpServer(({ method }) =>
      method === 'tools/call'
        ? stream(
            { method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
            { method: 'notifications/message', params: { level: 'info', data: 'working' } },
          )
        : undefined,
    );
    expect(await server.call()).toEqual(ok('from a stream'));
  });

  it.each<[string, Reply, RegExp]>([
    [
      '401',
      (response) => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('{"error":"who?"}'),
      /401|who|unauthor/i,
    ],
    ['403', (response) => response.writeHead(403).end('not you'), /403|not you/],
    ['500', (response) => response.writeHead(500).end('broken'), /500|broken/],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      /content type|text\/html/i,
    ],
    ['no JSON', (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'), /JSON/],
    ['another message', { result: { hello: 'world' } }, /./],
    ['a closed connection', (response) => response.destroy(), /fetch failed|socket|terminated|hang up/i],
  ])(
    'that answers the first request with %s has failed, and no header of the user is repeated',
    async (_, reply, says) => {
      const server = await httpServer(({ method }) => (method === 'initialize' ? reply : undefined), {
        headers: { authorization: 'Bearer the-secret' },
      });
      await expect(server.managed.open()).rejects.toThrow(says);
      expect([server.managed.state, server.managed.tools]).toEqual(['failed', []]);
      expect(server.managed.reason).not.toContain('the-secret');
    },
  );

  it('that has forgotten the session is connected to again by the next call', async () => {
    let restarted = false;
    const server = await httpServer(({ method }) => {
      if (method === 'initialize') restarted = false;
      return restarted ? (response) => response.writeHead(404).end('{"error":"no such session"}') : undefined;
    });
    await server.managed.open();
    restarted = true;
    await expect(server.call()).rejects.toThrow(
      /^The MCP server s did not answer the call: .*The next call starts it again\.$/s,
    );
    expect(await server.call({ again: true })).toEqual(ok('{"again":true}'));
    expect(server.asked('initialize')).toHaveLength(2);
  });

  it.each<[string, Reply]>([
    ['closes the connection', (response) => response.destroy()],
    [
      'closes the connection in the middle of its stream',
      (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('event: message\ndata: {"json', () => response.destroy());
      },
    ],
    [
      'ends its stream without the answer',
      (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n'),
    ],
    ['answers with an error', (response) => response.writeHead(502).end('bad gateway')],
  ])('that %s during a call fails that call alone', async (_, reply) => {
    let broken = true;
    const server = await httpServer(({ method }) => (method === 'tools/call' && broken ? reply : undefined));
    await expect(server.call()).rejects.toThrow(/^The MCP server s did not answer the call: /);
    broken = false;
    expect(await server.call({ next: 1 })).toEqual(ok('{"next":1}'));
  });

  it('learns where a call is interrupted', async () => {
    const server = await httpServer(({ method }) => (method === 'tools/call' ? () => undefined : undefined));
    const abort = new AbortController();
    const call = failureOf(server.call({}, abort.signal));
    await expect.poll(() => server.asked('tools/call').length).toBe(1);
    abort.abort(new Error('interrupted'));
    expect(await call).toBe('interrupted');
    await expect.poll(() => server.asked('notifications/cancelled').length).toBe(1);
  });

  it('that says nothing has failed after ten seconds', async () => {
    const server = await httpServer(({ method }) => (method === 'initialize' ? () => undefined : undefined));
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = failureOf(server.managed.open());
    while (server.asked('initialize').length === 0) await new Promise((resolve) => setImmediate(resolve));
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
    expect(await opened).toMatch(/no answer within 10 seconds|timed out/i);
  });
});

describe('a server with the older transport', () => {
  it('is listened to at its address, and asked at the one that it names', async () => {
    const listening: { write(text: string): unknown }[] = [];
    const send = (text: string): void => listening.forEach((to) => void to.write(`event: message\ndata: ${text}\n\n`));
    const server = await httpServer(
      (asked) => {
        if (asked.http === 'GET') {
          return (response) => {
            response.writeHead(200, { 'content-type': 'text/event-stream' });
            response.write('event: endpoint\ndata: /messages?session=1\n\n');
            listening.push(response);
          };
        }
        const { protocolVersion } = asked.params;
        const started = { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } };
        const result = { initialize: started, 'tools/list': NAMED, 'tools/call': said('old') }[asked.method];
        return (response) => {
          response.writeHead(202).end();
          if (result !== undefined) send(message(asked, result));
        };
      },
      { type: 'sse', headers: { 'x-key': 'k' } },
    );
    expect(await server.call()).toEqual(ok('old'));
    expect(server.asked('tools/call')[0]?.headers['x-key']).toBe('k');
    expect(server.asked('')[0]?.headers['x-key']).toBe('k');
  });
});

import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { openDocumentation } from '@gateway/documentation';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HELLO } from '../testing/caller.ts';
import { COMPLETION } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

let authority: Authority;
let folder: string;
let world: World;
const sessions: ClientHttp2Session[] = [];
const file = (name: string) => join(folder, name);

/** Writes a certificate for the given name beside the two that the gateway reads. */
function renew(name: string): void {
  const { certificate, key } = authority.certify([name, '127.0.0.1']);
  writeFileSync(file('cert.pem'), certificate);
  writeFileSync(file('key.pem'), key);
}

beforeAll(async () => {
  authority = createAuthority('authority of the service');
  folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
  renew('first.example');
  mkdirSync(file('docs'));
  writeFileSync(file('docs/archive.json'), '{"version":"1.0.0","path":"/v/1.0.0"}');
  writeFileSync(file('docs/llms-full.txt'), '# Turbine (/turbine)\n\nThe turbine turns.');
  const documentation = await openDocumentation(file('docs'), () => {});
  if ('fault' in documentation) throw new Error(documentation.fault);
  const environment = { TLS_CERT_FILE: file('cert.pem'), TLS_KEY_FILE: file('key.pem') };
  world = await startWorld({ environment, documentation });
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

function http2(): ClientHttp2Session {
  const session = connect(world.gateway.address, { ca: authority.certificate });
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

interface Got {
  readonly status: number;
  readonly text: string;
  /** The code a broken answer ended with; 0: whole. */
  readonly code: number;
  readonly headers: Record<string, unknown>;
}

/** One call over HTTP/2, with its body in the parts given. */
async function call(
  session: ClientHttp2Session,
  path: string,
  more: OutgoingHttpHeaders = {},
  parts?: string[],
): Promise<Got> {
  const stream = session.request({ ':method': 'POST', ':path': path, authorization: `Bearer ${world.key}`, ...more });
  stream.on('error', () => {});
  for (const part of parts ?? [JSON.stringify(HELLO)]) stream.write(part);
  stream.end();
  let text = '';
  let headers: Record<string, unknown> = {};
  stream.on('response', (answered) => {
    headers = answered;
  });
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  await new Promise((resolve) => stream.once('close', resolve));
  return { status: Number(headers[':status'] ?? 0), text, code: stream.rstCode, headers };
}

function peerName(socket: TLSSocket): string {
  return String(socket.getPeerCertificate().subject.CN);
}

describe('the service over TLS', () => {
  // limits-10
  it('announces https, and serves HTTP/1.1 to clients without HTTP/2', async () => {
    expect(world.gateway.address).toMatch(/^https:/);
    const agent = new Agent({ ca: authority.certificate });
    const sent = request(`${world.gateway.address}/chat/v1/x`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}` },
    }).end(JSON.stringify(HELLO));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.httpVersion]).toEqual([200, '1.1']);
    response.resume();
    agent.destroy();
  });
  it('refuses a caller that is still sending its body, and wants the connection closed', async () => {
    const sent = request(`${world.gateway.address}/chat/v1/x`, {
      agent: false,
      ca: authority.certificate,
      method: 'POST',
    });
    const closed = once(sent, 'close');
    sent.write('x'.repeat(1_000_000));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    sent.end('x'.repeat(1_000_000));
    await closed;
    expect([response.statusCode, response.complete]).toEqual([401, true]);
  });
  it('speaks nothing in the clear, and no TLS below 1.2', async () => {
    await expect(fetch(world.gateway.address.replace('https:', 'http:'))).rejects.toThrow('fetch failed');
    const { port } = new URL(world.gateway.address);
    const old = connectTls({
      port: Number(port),
      host: '127.0.0.1',
      ca: authority.certificate,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol|version|alert/i);
  });
});

it('the source of a request over TLS is known, even if its caller resets the connection immediately', async () => {
  const connection = connectPlain(world.port, '127.0.0.1');
  const socket = connectTls({ socket: connection, host: '127.0.0.1', ca: authority.certificate });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: g\r\n\r\n'); // not recorded: nothing reads its source
  await once(socket, 'data');
  socket.write('GET /chat/x HTTP/1.1\r\nHost: g\r\nX-Request-Id: reset\r\n\r\n', () => connection.resetAndDestroy());
  await eventually(async () => expect(await world.entries('reset')).toMatchObject([{ source_address: '127.0.0.1' }]));
});

describe('HTTP/2, agreed on by ALPN', () => {
  it('relays calls, many concurrently on one connection', async () => {
    const session = http2();
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(session, '/chat/v1/chat/completions')));
    for (const { status, text, code } of answers) {
      expect([status, JSON.parse(text), code]).toEqual([200, COMPLETION, 0]);
    }
    expect(session.alpnProtocol).toBe('h2');
    const { headers, body } = world.engine.received.at(-1)!;
    expect(JSON.parse(body.toString())).toMatchObject({ model: 'served-model' });
    expect(Object.keys(headers).filter((name) => name.startsWith(':'))).toEqual([]);
  });
  it('takes a body without a length, in parts', async () => {
    const text = JSON.stringify({ ...HELLO, padding: 'x'.repeat(300_000) });
    const { status } = await call(http2(), '/chat/long', {}, [text.slice(0, 100_000), text.slice(100_000)]);
    expect(status).toBe(200);
    expect(JSON.parse(world.engine.received.at(-1)!.body.toString())).toMatchObject({ padding: 'x'.repeat(300_000) });
  });
  it('needs no body at all', async () => {
    const session = http2();
    const stream = session.request({ ':method': 'GET', ':path': '/chat/models', 'x-api-key': world.key });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(200);
    expect(world.engine.received.at(-1)?.method).toBe('GET');
  });
  it('forwards events as they arrive', async () => {
    world.engine.on('/events', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n');
    });
    const stream = http2().request({
      ':method': 'POST',
      ':path': '/chat/events',
      authorization: `Bearer ${world.key}`,
    });
    stream.end('{"stream":true}');
    const [first] = (await once(stream, 'data')) as [Buffer];
    expect(first.toString()).toBe('data: one\n\n');
    const received = world.engine.received.at(-1)!;
    stream.close(constants.NGHTTP2_CANCEL);
    await received.closed;
  });
  it('ends a broken answer as broken, and the connection continues', async () => {
    world.engine.on('/broken', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: one\n\n', () => response.destroy());
    });
    const session = http2();
    const { status, text, code } = await call(session, '/chat/broken', {}, ['{"stream":true}']);
    expect([status, text]).toEqual([200, 'data: one\n\n']);
    expect(code).toBe(constants.NGHTTP2_INTERNAL_ERROR);
    expect((await call(session, '/chat/v1/x')).status).toBe(200);
  });
  it('refuses as HTTP/1.1 does', async () => {
    const session = http2();
    const refused = async (path: string, more: OutgoingHttpHeaders) => {
      const { status, text } = await call(session, path, more);
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
      const before = world.engine.received.length;
      expect((await call(http2(), path)).status).toBe(400);
      expect(world.engine.received).toHaveLength(before);
    },
  );
  it('cuts a body that continues after a refusal, and the connection continues', async () => {
    const session = http2();
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
    expect((await call(session, '/chat/v1/x')).status).toBe(200);
  });
  it('records the source of a call', async () => {
    await call(http2(), '/chat/from', { 'x-request-id': 'over-http2' });
    expect((await world.entries('over-http2'))[0]).toMatchObject({ source_address: '127.0.0.1' });
  });
  it('refuses a tunnel', async () => {
    const stream = http2().request({ ':method': 'CONNECT', ':authority': 'evil.example:443' });
    const [headers] = (await once(stream, 'response')) as [Record<string, unknown>];
    expect(headers[':status']).toBe(501);
  });
  it('distinguishes its own pages from others, which may not call the query server', async () => {
    const session = http2();
    const ping = (origin: string) => call(session, '/v/_mcp', { origin }, ['{"jsonrpc":"2.0","id":1,"method":"ping"}']);
    const own = await ping(new URL(world.gateway.address).origin);
    expect([own.status, JSON.parse(own.text)]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }]);
    expect((await ping('https://evil.example')).status).toBe(403);
  });

  it('joins split cookie fields', async () => {
    await call(http2(), '/chat/cookies', { cookie: ['a=1', 'b=2'] });
    expect(world.engine.received.at(-1)?.headers.cookie).toBe('a=1; b=2');
  });
});

describe('a renewed certificate', () => {
  it('is used for the next connection, while open ones continue', async () => {
    const session = http2();
    await call(session, '/chat/v1/x');
    expect(peerName(session.socket as TLSSocket)).toBe('first.example');
    renew('second.example');
    world.gateway.reloadCertificate();
    expect((await call(session, '/chat/v1/x')).status).toBe(200);
    const next = http2();
    expect((await call(next, '/chat/v1/x')).status).toBe(200);
    expect(peerName(next.socket as TLSSocket)).toBe('second.example');
  });
  it('that cannot be used leaves the former one', async () => {
    writeFileSync(file('key.pem'), 'no key');
    expect(() => world.gateway.reloadCertificate()).toThrow(/PEM|key|unsupported|no start line/i);
    const next = http2();
    expect((await call(next, '/chat/v1/x')).status).toBe(200);
    expect(peerName(next.socket as TLSSocket)).toBe('second.example');
    renew('third.example');
  });
});

it('ends in order: running streams of HTTP/2 finish, idle sessions go', async () => {
  const ending = await startWorld({
    environment: { TLS_CERT_FILE: file('cert.pem'), TLS_KEY_FILE: file('key.pem'), GATEWAY_DRAIN_SECONDS: '20' },
  });
  const asked = Promise.withResolvers<() => void>();
  ending.engine.on('/slow', (_, response) => asked.resolve(() => response.end('{"done":true}')));
  const connected = () => {
    const session = connect(ending.gateway.address, { ca: authority.certificate });
    sessions.push(session.on('error', () => {}));
    return session;
  };
  const [idle, busy] = [connected(), connected()];
  await Promise.all([once(idle, 'connect'), once(busy, 'connect')]);
  const stream = busy.request({ ':method': 'POST', ':path': '/chat/slow', authorization: `Bearer ${ending.key}` });
  stream.end('{}');
  const finish = await asked.promise;
  const stopped = ending.stop();
  await once(idle, 'close');
  finish();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  expect(Buffer.concat(chunks).toString()).toBe('{"done":true}');
  await stopped;
});

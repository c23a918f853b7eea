import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HELLO } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld } from '../testing/world.ts';
import { startTlsWorld, type TlsWorld } from './testing/tls-world.ts';

let tls: TlsWorld;
beforeAll(async () => {
  tls = await startTlsWorld();
});
afterEach(() => tls.endSessions());
afterAll(() => tls.stop());

function peerName(socket: TLSSocket): string {
  return String(socket.getPeerCertificate().subject.CN);
}

describe('the service over TLS', () => {
  // limits-10
  it('announces https, and serves HTTP/1.1 to clients without HTTP/2', async () => {
    expect(tls.world.gateway.address).toMatch(/^https:/);
    const agent = new Agent({ ca: tls.authority.certificate });
    const sent = request(`${tls.world.gateway.address}/chat/v1/x`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${tls.world.key}` },
    }).end(JSON.stringify(HELLO));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.httpVersion]).toEqual([200, '1.1']);
    response.resume();
    agent.destroy();
  });
  it('refuses a caller that is still sending its body, and wants the connection closed', async () => {
    const sent = request(`${tls.world.gateway.address}/chat/v1/x`, {
      agent: false,
      ca: tls.authority.certificate,
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
    await expect(fetch(tls.world.gateway.address.replace('https:', 'http:'))).rejects.toThrow('fetch failed');
    const { port } = new URL(tls.world.gateway.address);
    const old = connectTls({
      port: Number(port),
      host: '127.0.0.1',
      ca: tls.authority.certificate,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
    });
    await expect(once(old, 'secureConnect')).rejects.toThrow(/protocol|version|alert/i);
  });
});

it('the source of a request over TLS is known, even if its caller resets the connection immediately', async () => {
  const connection = connectPlain(tls.world.port, '127.0.0.1');
  const socket = connectTls({ socket: connection, host: '127.0.0.1', ca: tls.authority.certificate });
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\nHost: g\r\n\r\n'); // not recorded: nothing reads its source
  await once(socket, 'data');
  socket.write('GET /chat/x HTTP/1.1\r\nHost: g\r\nX-Request-Id: reset\r\n\r\n', () => connection.resetAndDestroy());
  await eventually(async () =>
    expect(await tls.world.entries('reset')).toMatchObject([{ source_address: '127.0.0.1' }]),
  );
});

describe('a renewed certificate', () => {
  it('is used for the next connection, while open ones continue', async () => {
    const session = tls.http2();
    await tls.call(session, '/chat/v1/x');
    expect(peerName(session.socket as TLSSocket)).toBe('first.example');
    tls.renew('second.example');
    tls.world.gateway.reloadCertificate();
    expect((await tls.call(session, '/chat/v1/x')).status).toBe(200);
    const next = tls.http2();
    expect((await tls.call(next, '/chat/v1/x')).status).toBe(200);
    expect(peerName(next.socket as TLSSocket)).toBe('second.example');
  });
  it('that cannot be used leaves the former one', async () => {
    writeFileSync(tls.file('key.pem'), 'no key');
    expect(() => tls.world.gateway.reloadCertificate()).toThrow(/PEM|key|unsupported|no start line/i);
    const next = tls.http2();
    expect((await tls.call(next, '/chat/v1/x')).status).toBe(200);
    expect(peerName(next.socket as TLSSocket)).toBe('second.example');
    tls.renew('third.example');
  });
});

it('ends in order: running streams of HTTP/2 finish, idle sessions go', async () => {
  const ending = await startWorld({ environment: { ...tls.environment, GATEWAY_DRAIN_SECONDS: '20' } });
  const asked = Promise.withResolvers<() => void>();
  ending.engine.on('/slow', (_, response) => asked.resolve(() => response.end('{"done":true}')));
  const [idle, busy] = [tls.http2(ending.gateway.address), tls.http2(ending.gateway.address)];
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

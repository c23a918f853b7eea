import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { HELLO } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startWorld, type World } from '../testing/world.ts';

const authority = createAuthority('authority of the service');
const folder = mkdtempSync(join(tmpdir(), 'gateway-tls-'));
const FILES = { TLS_CERT_FILE: join(folder, 'cert.pem'), TLS_KEY_FILE: join(folder, 'key.pem') };

/** Writes a certificate for the given name where the gateway reads it. */
function renew(name: string): void {
  const { certificate, key } = authority.certify([name, '127.0.0.1']);
  writeFileSync(FILES.TLS_CERT_FILE, certificate);
  writeFileSync(FILES.TLS_KEY_FILE, key);
}

let world: World;
const agents: Agent[] = [];
beforeAll(async () => {
  renew('first.example');
  world = await startWorld({ environment: FILES });
});
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** One connection, which stays open. */
function connection(): Agent {
  const agent = new Agent({ ca: authority.certificate, keepAlive: true, maxSockets: 1 });
  agents.push(agent);
  return agent;
}

/** One call; and the name in the certificate of its connection. */
async function call(
  agent: Agent,
): Promise<{ readonly status: number | undefined; readonly version: string; readonly name: string }> {
  const sent = request(`${world.gateway.address}/chat/v1/x`, {
    agent,
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}` },
  }).end(JSON.stringify(HELLO));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const name = String((response.socket as TLSSocket).getPeerCertificate().subject.CN);
  await once(response.resume(), 'end');
  return { status: response.statusCode, version: response.httpVersion, name };
}

describe('the service over TLS', () => {
  // limits-10
  it('announces https, and serves HTTP/1.1 also to clients that offer HTTP/2', async () => {
    expect(world.gateway.address).toMatch(/^https:/);
    expect(await call(connection())).toMatchObject({ status: 200, version: '1.1' });
    const both = connectTls({
      port: world.port,
      host: '127.0.0.1',
      ca: authority.certificate,
      ALPNProtocols: ['h2', 'http/1.1'],
    });
    await once(both, 'secureConnect');
    expect(both.alpnProtocol).toBe('http/1.1');
    both.destroy();
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

describe('a renewed certificate', () => {
  it('is used for the next connection, while open ones continue', async () => {
    const open = connection();
    expect(await call(open)).toMatchObject({ status: 200, name: 'first.example' });
    renew('second.example');
    world.gateway.reloadCertificate();
    expect(await call(open)).toMatchObject({ status: 200, name: 'first.example' });
    expect(await call(connection())).toMatchObject({ status: 200, name: 'second.example' });
  });
  it('that cannot be used leaves the former one', async () => {
    writeFileSync(FILES.TLS_KEY_FILE, 'no key');
    expect(() => world.gateway.reloadCertificate()).toThrow(/PEM|key|unsupported|no start line/i);
    expect(await call(connection())).toMatchObject({ status: 200, name: 'second.example' });
  });
});

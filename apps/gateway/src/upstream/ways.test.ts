import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { type Authority, createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller.ts';
import { COMPLETION } from '../testing/engine.ts';
import { startProxy } from '../testing/proxy.ts';
import { startWorld } from '../testing/world.ts';

let folder: string;
let authority: Authority;
let secure: { readonly url: string; readonly clients: (string | undefined)[]; stop(): Promise<void> };

/** An engine over TLS that reports the client certificate it received. */
async function startSecureEngine(options: ServerOptions = {}): Promise<typeof secure> {
  const { certificate, key } = authority.certify(['127.0.0.1', 'localhost']);
  const clients: (string | undefined)[] = [];
  const server = createServer({ cert: certificate, key, ...options }, (incoming, response) => {
    const peer = (incoming.socket as TLSSocket).getPeerCertificate();
    clients.push(peer.subject?.CN as string | undefined);
    incoming.resume().on('end', () => response.end(JSON.stringify({ ...COMPLETION, path: incoming.url })));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clients,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** One call through a gateway with this environment, to a provider with this Base URL. */
async function call(baseUrl: string, environment: Record<string, string> = {}) {
  const world = await startWorld({ environment });
  await world.serve('far', { baseUrl });
  const { status, json } = await ask(world.port, '/far/a//b', { key: world.key });
  const rows = await world.usage();
  await world.stop();
  return { status, json: json as { error?: string; path?: string }, rows: rows.length };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-ways-'));
  authority = createAuthority('authority of the engines');
  secure = await startSecureEngine();
});
afterAll(async () => {
  await secure.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('over TLS', () => {
  // refusals-16
  it('an authority that was not added is not trusted, and the message names only the variable to set', async () => {
    const { certificate, key } = authority.certify(['127.0.0.1']);
    const chained = await startSecureEngine({ cert: certificate + authority.certificate, key });
    for (const [url, said] of [
      [secure.url, 'unable to verify the first certificate'],
      [chained.url, 'self-signed certificate in certificate chain'],
    ] as const) {
      const { status, json, rows } = await call(url);
      const fix = 'Set UPSTREAM_TLS_CA_FILE to the authority that issued its certificate.';
      expect([status, json.error, rows]).toEqual([502, `The provider could not be reached: ${said}. ${fix}`, 0]);
    }
    await chained.stop();
  });
  it('a provider without TLS is reported, without the library’s own text', async () => {
    const plain = createTcpServer((socket) => socket.on('error', () => {}).end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { status, json } = await call(`https://127.0.0.1:${(plain.address() as AddressInfo).port}`);
    plain.close();
    expect([status, json.error]).toEqual([
      502,
      'The provider could not be reached: wrong version number. ' +
        'It does not speak TLS there: check whether its Base URL begins with http:// or has another port.',
    ]);
  });
  // relay-24
  it('an added authority is trusted, besides all others', async () => {
    const { status, json } = await call(secure.url, { UPSTREAM_TLS_CA_FILE: file('ca.pem', authority.certificate) });
    expect([status, json.path]).toEqual([200, '/a//b']);
  });
  it('a certificate for another name is not', async () => {
    const { certificate, key } = authority.certify(['elsewhere.example']);
    const engine = await startSecureEngine({ cert: certificate, key });
    const { status, json } = await call(engine.url, { UPSTREAM_TLS_CA_FILE: file('ca.pem', authority.certificate) });
    await engine.stop();
    expect(status).toBe(502);
    expect(json.error).toMatch(/does not match certificate's altnames/);
  });
  it('a client certificate is presented where one is set, and the message names the variable where none is', async () => {
    const demanding = await startSecureEngine({
      requestCert: true,
      rejectUnauthorized: true,
      ca: authority.certificate,
    });
    const trust = { UPSTREAM_TLS_CA_FILE: file('ca.pem', authority.certificate) };
    const without = await call(demanding.url, trust);
    expect(without.status).toBe(502);
    expect(without.json.error).toMatch(/set UPSTREAM_TLS_CLIENT_CERT_FILE and UPSTREAM_TLS_CLIENT_KEY_FILE\.$/);
    const { certificate, key } = authority.certify(['the-gateway']);
    const own = {
      UPSTREAM_TLS_CLIENT_CERT_FILE: file('client.pem', certificate),
      UPSTREAM_TLS_CLIENT_KEY_FILE: file('client-key.pem', key),
    };
    expect((await call(demanding.url, { ...trust, ...own })).status).toBe(200);
    const stranger = createAuthority('another authority').certify(['the-gateway']);
    const foreign = {
      UPSTREAM_TLS_CLIENT_CERT_FILE: file('foreign.pem', stranger.certificate),
      UPSTREAM_TLS_CLIENT_KEY_FILE: file('foreign-key.pem', stranger.key),
    };
    const refused = await call(demanding.url, { ...trust, ...foreign });
    await demanding.stop();
    expect(refused.status).toBe(502);
    expect(refused.json.error).toMatch(
      /It may refuse the certificate of UPSTREAM_TLS_CLIENT_CERT_FILE and UPSTREAM_TLS_CLIENT_KEY_FILE\.$/,
    );
  });
});

describe('through an enterprise proxy', () => {
  it('https uses CONNECT, and the certificate verified is the provider’s', async () => {
    const proxy = await startProxy();
    const environment = {
      HTTPS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}`,
      UPSTREAM_TLS_CA_FILE: file('ca.pem', authority.certificate),
    };
    const { status, json } = await call(secure.url, environment);
    expect([status, json.path]).toEqual([200, '/a//b']);
    const untrusted = await call(secure.url, { HTTPS_PROXY: environment.HTTPS_PROXY });
    await proxy.stop();
    expect(untrusted.status).toBe(502);
    expect(untrusted.json.error).toMatch(/UPSTREAM_TLS_CA_FILE/);
    expect(proxy.targets).toEqual([new URL(secure.url).host, new URL(secure.url).host]);
    expect(proxy.authorizations[0]).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
  });
  it('the client certificate is shown to the provider, and not to a proxy that asks for one', async () => {
    const { certificate: cert, key } = authority.certify(['127.0.0.1']);
    const asking = { requestCert: true, rejectUnauthorized: false, ca: authority.certificate };
    const [proxy, engine] = [await startProxy(undefined, { cert, key, ...asking }), await startSecureEngine(asking)];
    const client = authority.certify(['the-gateway']);
    const { status } = await call(engine.url, {
      HTTPS_PROXY: `https://127.0.0.1:${proxy.port}`,
      UPSTREAM_TLS_CA_FILE: file('ca.pem', authority.certificate),
      UPSTREAM_TLS_CLIENT_CERT_FILE: file('client.pem', client.certificate),
      UPSTREAM_TLS_CLIENT_KEY_FILE: file('client-key.pem', client.key),
    });
    await proxy.stop();
    await engine.stop();
    expect([status, engine.clients, proxy.clients]).toEqual([200, ['the-gateway'], ['none']]);
  });
  it('http is forwarded with its whole address, byte for byte', async () => {
    const proxy = await startProxy();
    const world = await startWorld({ environment: { HTTP_PROXY: `http://u:p@127.0.0.1:${proxy.port}` } });
    const { status } = await ask(world.port, '/chat/a//b/%2F?x=%20', { key: world.key });
    const got = world.engine.received.at(-1)!;
    const { url } = world.engine;
    await world.stop();
    await proxy.stop();
    expect([status, proxy.targets]).toEqual([200, [`${url}/base/a//b/%2F?x=%20`]]);
    expect(got.headers.host).toBe(new URL(url).host);
    expect(got.headers['proxy-authorization']).toBeUndefined();
    expect(proxy.authorizations).toEqual([`Basic ${Buffer.from('u:p').toString('base64')}`]);
  });
  it('NO_PROXY excepts a provider', async () => {
    const proxy = await startProxy();
    const world = await startWorld({
      environment: { HTTP_PROXY: `http://127.0.0.1:${proxy.port}`, NO_PROXY: '127.0.0.0/8' },
    });
    const { status } = await ask(world.port, '/chat/x', { key: world.key });
    await world.stop();
    await proxy.stop();
    expect([status, proxy.targets]).toEqual([200, []]);
  });
  it('a proxy that refuses or is not there is named', async () => {
    const proxy = await startProxy(407);
    const refused = await call(secure.url, { HTTPS_PROXY: `http://127.0.0.1:${proxy.port}` });
    await proxy.stop();
    expect(refused.status).toBe(502);
    expect(refused.json.error).toMatch(
      /the proxy answered 407 to CONNECT .*\. The gateway uses the proxy of HTTPS_PROXY: correct it, or add the provider to NO_PROXY\.$/,
    );
    const absent = await call(secure.url, { HTTPS_PROXY: 'http://hidden:word@127.0.0.1:1' });
    expect(absent.status).toBe(502);
    expect(absent.json.error).toMatch(/ECONNREFUSED.*HTTPS_PROXY/);
    expect(absent.json.error).not.toMatch(/hidden|word/);
    const forwarded = await call('http://127.0.0.1:2', { HTTP_PROXY: 'http://127.0.0.1:1' });
    expect(forwarded.json.error).toMatch(/ECONNREFUSED.*HTTP_PROXY/);
  });
});

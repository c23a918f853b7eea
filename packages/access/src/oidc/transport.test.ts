import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../development-authority.ts';
import { createOidcTransport, discoveryAddress, IdentityProviderUnreachable, issuerFault } from './transport.ts';

let authority: Authority;
const open: { close(): unknown; closeAllConnections?(): void }[] = [];
beforeAll(() => {
  authority = createAuthority('authority of the transport');
});
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections?.();
    server.close();
  }
});

async function serve(answer: RequestListener): Promise<string> {
  const { certificate, key } = authority.certify(['127.0.0.1']);
  const server: Server = createServer({ cert: certificate, key }, answer);
  open.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/document`;
}
const fetchJson = (address: string, timeoutMs?: number) =>
  createOidcTransport({ ca: authority.certificate, ...(timeoutMs && { timeoutMs }) })(address);

describe('a document of the identity provider', () => {
  it('is fetched over https, under an authority that was added', async () => {
    expect(await fetchJson(await serve((_, response) => response.end('{"a":1}')))).toEqual({ a: 1 });
  });
  it('is not fetched under an authority that was not added', async () => {
    const address = await serve((_, response) => response.end('{}'));
    await expect(createOidcTransport()(address)).rejects.toThrow(/certificate.*OIDC_TLS_CA_FILE/);
  });
  it.each([
    ['a redirect, which is not followed', 302, '{}', 'status 302'],
    ['an error', 500, '{}', 'status 500'],
    ['something else', 200, '<html>', 'JSON'],
    ['a flood', 200, `"${'x'.repeat(2_000_000)}"`, 'longer than a megabyte'],
  ])('is not %s', async (_, status, body, sentence) => {
    let asked = 0;
    const address = await serve((_, response) => {
      asked += 1;
      response.writeHead(status, { location: '/elsewhere' }).end(body);
    });
    await expect(fetchJson(address)).rejects.toThrow(sentence);
    expect(asked).toBe(1);
  });
  it('is requested with a user agent and without compression', async () => {
    const address = await serve(({ headers }, response) => response.end(JSON.stringify(headers)));
    expect(await fetchJson(address)).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'gateway',
    });
  });
  it('that redirects is reported with the target, but without its query', async () => {
    const address = await serve((_, response) => {
      response.writeHead(302, { location: 'https://sso.example/sign-in?state=of-somebody' }).end();
    });
    await expect(fetchJson(address)).rejects.toThrow(
      /document: it answered with status 302 and leads to https:\/\/sso\.example\/sign-in, but no redirect is followed$/,
    );
  });
  it('is not waited for without end', async () => {
    const silent = await serve(() => {});
    await expect(fetchJson(silent, 100)).rejects.toThrow('no answer within 100 ms');
  });
  it('that breaks off, or a port without a listener, is unreachable', async () => {
    const broken = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setImmediate(() => response.destroy());
    });
    await expect(fetchJson(broken)).rejects.toBeInstanceOf(IdentityProviderUnreachable);
    await expect(fetchJson('https://127.0.0.1:1/')).rejects.toBeInstanceOf(IdentityProviderUnreachable);
  });
  it('is requested through the enterprise proxy, where one is named', async () => {
    const met: string[] = [];
    const proxy = createTcpServer((socket) => {
      socket.once('data', (head) => {
        met.push(head.toString().split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
      });
    }).listen(0, '127.0.0.1');
    open.push(proxy);
    await once(proxy, 'listening');
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const through = createOidcTransport({ proxy: { HTTPS_PROXY: address, NO_PROXY: 'inside.example' } });
    await expect(through('https://directory.example/keys')).rejects.toBeInstanceOf(IdentityProviderUnreachable);
    expect(met).toEqual(['CONNECT directory.example:443 HTTP/1.1']);
  });
});

describe('the address of an identity provider', () => {
  it.each(['https://directory.example', 'https://directory.example/realms/acme', 'https://10.0.0.1:8443/'])(
    '%s',
    (issuer) => {
      expect(issuerFault(issuer)).toBeNull();
    },
  );
  it.each([
    ['directory.example', 'absolute'],
    ['', 'absolute'],
    ['http://directory.example', 'https'],
    ['https://directory.example?', 'query'],
    ['https://directory.example?a=1', 'query'],
    ['https://directory.example#', 'fragment'],
    ['https://user:secret@directory.example', 'user name'],
  ])('is not %j', (issuer, sentence) => expect(issuerFault(issuer)).toContain(sentence));
  it('has its discovery document below its path, with or without a last slash', () => {
    expect(discoveryAddress('https://d.example/realm')).toBe(
      'https://d.example/realm/.well-known/openid-configuration',
    );
    expect(discoveryAddress('https://d.example/')).toBe('https://d.example/.well-known/openid-configuration');
  });
});

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, type Socket } from 'node:net';
import tls from 'node:tls';
import { IdentityProviderUnreachable } from '@gateway/access';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOidcClient } from './client.ts';
import { beginSignIn } from './pending.ts';
import { scriptedProviderSuite } from './testing/scripted-provider.ts';

const provider = scriptedProviderSuite();

describe('an enterprise proxy', () => {
  /** A proxy that tunnels to any address, and records it with the credentials it received. */
  const tunnels: [target: string | undefined, proof: string | undefined][] = [];
  let proxy: Server;
  let url: string;
  beforeAll(async () => {
    proxy = createServer().listen(0, '127.0.0.1');
    proxy.on('connect', ({ url: target, headers }, socket: Socket) => {
      tunnels.push([target, headers['proxy-authorization']]);
      const { port, hostname } = new URL(`http://${target}`);
      const onwards = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Established\r\n\r\n');
        socket.pipe(onwards).pipe(socket);
      });
      for (const end of [socket, onwards]) end.on('error', () => [socket, onwards].map((one) => one.destroy()));
    });
    await once(proxy, 'listening');
    url = `http://operator:pass%25word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  beforeEach(() => void tunnels.splice(0));
  afterAll(() => proxy.close());

  it('is used for the description, the keys and the token', async () => {
    expect(
      await provider.signIn(
        provider.first,
        undefined,
        {},
        provider.connectedClient(null, { url, except: 'elsewhere.example' }),
      ),
    ).toBe('alice');
    const { host } = new URL(provider.issuer);
    expect(new Set(tunnels.map(([target]) => target))).toEqual(new Set([host]));
    expect(new Set(tunnels.map(([, proof]) => proof))).toEqual(new Set([`Basic ${btoa('operator:pass%word')}`]));
    expect(tunnels.length).toBeGreaterThanOrEqual(2); // one way for what the login asks, one for the keys
  });
  it('is bypassed if the identity provider is excluded', async () => {
    const { hostname, host } = new URL(provider.issuer);
    for (const except of [hostname, host, '*']) {
      expect(
        await provider.signIn(provider.first, undefined, {}, provider.connectedClient(null, { url, except })),
      ).toBe('alice');
    }
    expect(tunnels).toEqual([]);
  });
  it('that is not reachable is reported like an unreachable identity provider', async () => {
    const away = provider.connectedClient(null, { url: 'http://127.0.0.1:9', except: null });
    await expect(provider.signIn(provider.first, undefined, {}, away)).rejects.toThrow(IdentityProviderUnreachable);
  });
});

describe('a confidential client', () => {
  const basic = `Basic ${btoa('console:a+secret')}`;
  it.each([
    [undefined, basic],
    [['client_secret_basic', 'client_secret_post'], basic],
    [['client_secret_post'], undefined],
    [['private_key_jwt', 'client_secret_post'], undefined],
    [['private_key_jwt'], basic],
  ])('authenticates with a method that the identity provider supports: %j', async (methods, authorization) => {
    provider.metadata = { ...provider.metadata, ...(methods && { token_endpoint_auth_methods_supported: methods }) };
    expect(await provider.signIn(provider.first, undefined, {}, provider.connectedClient('a secret'))).toBe('alice');
    expect(provider.asked.authorization).toBe(authorization);
    expect(provider.asked.form.get('client_secret')).toBe(authorization ? null : 'a secret');
  });
});

describe('a confidential client whose proof is refused', () => {
  it.each(['invalid_client', 'unauthorized_client'])('is sent again in the form: %s', async (error) => {
    provider.refuses = (authorization) => (authorization === undefined ? null : error);
    expect(await provider.signIn(provider.first, undefined, {}, provider.connectedClient('a secret'))).toBe('alice');
    expect(provider.asked.form.get('client_secret')).toBe('a secret');
  });
});

describe('an authority that this machine trusts', () => {
  const ours = tls.getCACertificates;
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('is trusted for the description, the token and the keys, in addition to the default ones', async () => {
    vi.spyOn(tls, 'getCACertificates').mockImplementation((kind) =>
      kind === 'system' ? [provider.authority] : ours(kind),
    );
    syncBuiltinESMExports();
    for (const ca of [null, createAuthority('another').certificate]) {
      expect(
        await provider.signIn(provider.first, undefined, {}, createOidcClient({ ...provider.settings(), ca })),
      ).toBe('alice');
    }
  });
});

describe('an identity provider that moves its authorization endpoint', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['ten minutes later', 600_000],
    ['where the clock was set back', -86_400_000],
  ])('is queried again %s', async (_, ahead) => {
    const { now } = Date;
    await provider.client.authorizationAddress(beginSignIn(null));
    provider.metadata = { authorization_endpoint: `${provider.issuer}/elsewhere` };
    expect(await provider.client.authorizationAddress(beginSignIn(null))).toContain('/authorize?');
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    expect(await provider.client.authorizationAddress(beginSignIn(null))).toContain('/elsewhere?');
  });
});

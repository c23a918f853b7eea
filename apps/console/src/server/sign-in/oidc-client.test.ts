import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, type Socket } from 'node:net';
import tls from 'node:tls';
import { IdentityProviderUnreachable } from '@gateway/access';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { beginSignIn, createOidcClient, resumeSignIn } from './oidc-sign-in.ts';
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

describe('a sign-in', () => {
  it('has a secret, a state, a nonce and a verifier, none of which reveals another', () => {
    const begun = beginSignIn(null);
    const words = [begun.cookie, begun.state, begun.nonce, begun.verifier, begun.digest.toString('base64url')];
    for (const word of words) expect(word).toMatch(/^[\w-]{43}$/);
    expect(new Set(words).size).toBe(words.length);
  });
  it('is another one every time', () => {
    const states = Array.from({ length: 200 }, () => beginSignIn(null).state);
    expect(new Set(states).size).toBe(states.length);
  });
  it('is resumed by the browser that began it', () => {
    const begun = beginSignIn(null);
    expect(resumeSignIn(begun.cookie, begun.state)).toEqual(begun);
  });
  it.each([
    ['no cookie', undefined, (state: string) => state],
    ['no state', 'own', () => null],
    ['an empty state', 'own', () => ''],
    ['a longer state', 'own', (state: string) => `${state}x`],
    ['a state in other letters', 'own', (state: string) => state.toUpperCase()],
    ['the cookie of another login', 'other', (state: string) => state],
    ['a cookie that is none', 'x', (state: string) => state],
    ['an empty cookie', '', (state: string) => state],
  ])('is not resumed with %s', (_, cookie, change) => {
    const begun = beginSignIn(null);
    const secret = cookie === 'own' ? begun.cookie : cookie === 'other' ? beginSignIn(null).cookie : cookie;
    expect(resumeSignIn(secret, change(begun.state))).toBeNull();
  });
  it('keeps its return location, and is not resumed with another location in its cookie', () => {
    const begun = beginSignIn('/#audit');
    expect(resumeSignIn(begun.cookie, begun.state)).toEqual(begun);
    const [secret = ''] = begun.cookie.split('.');
    const elsewhere = Buffer.from('/audit').toString('base64url');
    for (const cookie of [
      secret,
      `${secret}.`,
      `${secret}.${elsewhere}`,
      `${begun.cookie}.x`,
      `${begun.cookie}=`,
      `x${begun.cookie}`,
    ])
      expect(resumeSignIn(cookie, begun.state)).toBeNull();
    const plain = beginSignIn(null);
    expect(resumeSignIn(`${plain.cookie}.${elsewhere}`, plain.state)).toBeNull();
  });
});

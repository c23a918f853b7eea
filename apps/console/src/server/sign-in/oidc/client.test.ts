import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import {
  createServer as createHttpServer,
  type Server as HttpServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createServer, type Server } from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, type Socket } from 'node:net';
import tls from 'node:tls';
import { IdentityProviderUnreachable } from '@gateway/access';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createOidcClient, type OidcClient, SignInDeclined } from './client.ts';
import { beginSignIn } from './pending.ts';
import type { OidcSettings } from './settings.ts';

/** A signing key, and its public half as the identity provider publishes it. */
interface Pair {
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
}

const authority = createAuthority('authority of the directory');
const certified = authority.certify(['127.0.0.1']);
/** An identity provider with scripted answers. */
let server: Server;
let issuer: string;
let metadata: object;
let published: unknown[];
/** The identity token the next code is exchanged for. */
let token: string;
/** What the token endpoint was asked: the form, and the authorization header. */
let asked: { form: URLSearchParams; authorization: string | undefined };

/** What the token endpoint says instead of giving a token. */
let refusal: object | null;
/** With which error it refuses a client that shows this authorization; null: with none. */
let refuses: (authorization: string | undefined) => string | null;
/** With which it answers 401 to a client it does not know. */
let challenge: OutgoingHttpHeaders | null;

beforeAll(async () => {
  server = createServer({ cert: certified.certificate, key: certified.key }, (request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const answers: Record<string, () => object> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      ...metadata,
    }),
    '/keys': () => ({ keys: published }),
    '/token': () => {
      if (refusal !== null) return refusal;
      asked = { form: new URLSearchParams(text), authorization: request.headers.authorization };
      return { access_token: 'access', token_type: 'Bearer', id_token: token };
    },
  };
  const error = request.url === '/token' ? refuses(request.headers.authorization) : null;
  if (error !== null) {
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    return;
  }
  const made = answers[String(request.url)];
  const refused = request.url === '/token' && refusal !== null ? (challenge === null ? 400 : 401) : 200;
  response.writeHead(made ? refused : 404, { 'content-type': 'application/json', ...(refused === 401 && challenge) });
  response.end(JSON.stringify(made?.() ?? {}));
}

function pair(kid: string, type: 'rsa' | 'ec' = 'rsa'): Pair {
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid } };
}

let client: OidcClient;
let first: Pair;
beforeEach(() => {
  refusal = null;
  challenge = null;
  refuses = () => null;
  metadata = { id_token_signing_alg_values_supported: ['RS256', 'ES256'] };
  first = pair('one');
  published = [first.jwk];
  client = connectedClient(null);
});

function settings(): OidcSettings {
  return {
    issuer,
    clientId: 'console',
    clientSecret: null,
    audience: 'console',
    subjectClaim: 'sub',
    redirectUri: 'https://console.example/auth/callback',
    ca: authority.certificate,
    proxy: null,
  };
}

function connectedClient(clientSecret: string | null, proxy: OidcSettings['proxy'] = null): OidcClient {
  return createOidcClient({ ...settings(), clientSecret, proxy });
}

/** Signs in with an identity token of this header and these claims, signed by this key. */
async function signIn(by: Pair, header: object = { kid: by.jwk['kid'] }, change: object = {}, through = client) {
  const pending = beginSignIn(null);
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: issuer,
    aud: 'console',
    sub: 'alice',
    nonce: pending.nonce,
    iat: now,
    exp: now + 300,
    ...change,
  };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg: 'RS256', ...header })}.${part(claims)}`;
  token = `${signed}.${sign('sha256', Buffer.from(signed), by.privateKey).toString('base64url')}`;
  const { sub } = await through.claims(pending, `?code=c&state=${pending.state}`);
  return sub;
}

describe('an enterprise proxy', () => {
  /** A proxy that tunnels to any address, and records it with the credentials it received. */
  const tunnels: [target: string | undefined, proof: string | undefined][] = [];
  let proxy: HttpServer;
  let url: string;
  beforeAll(async () => {
    proxy = createHttpServer().listen(0, '127.0.0.1');
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
    expect(await signIn(first, undefined, {}, connectedClient(null, { url, except: 'elsewhere.example' }))).toBe(
      'alice',
    );
    const { host } = new URL(issuer);
    expect(new Set(tunnels.map(([target]) => target))).toEqual(new Set([host]));
    expect(new Set(tunnels.map(([, proof]) => proof))).toEqual(new Set([`Basic ${btoa('operator:pass%word')}`]));
    expect(tunnels.length).toBeGreaterThanOrEqual(2); // one way for what the login asks, one for the keys
  });
  it('is bypassed if the identity provider is excluded', async () => {
    const { hostname, host } = new URL(issuer);
    for (const except of [hostname, host, '*']) {
      expect(await signIn(first, undefined, {}, connectedClient(null, { url, except }))).toBe('alice');
    }
    expect(tunnels).toEqual([]);
  });
  it('that is not reachable is reported like an unreachable identity provider', async () => {
    const away = connectedClient(null, { url: 'http://127.0.0.1:9', except: null });
    await expect(signIn(first, undefined, {}, away)).rejects.toThrow(IdentityProviderUnreachable);
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
    metadata = { ...metadata, ...(methods && { token_endpoint_auth_methods_supported: methods }) };
    expect(await signIn(first, undefined, {}, connectedClient('a secret'))).toBe('alice');
    expect(asked.authorization).toBe(authorization);
    expect(asked.form.get('client_secret')).toBe(authorization ? null : 'a secret');
  });
});

describe('a confidential client whose proof is refused', () => {
  it.each(['invalid_client', 'unauthorized_client'])('is sent again in the form: %s', async (error) => {
    refuses = (authorization) => (authorization === undefined ? null : error);
    expect(await signIn(first, undefined, {}, connectedClient('a secret'))).toBe('alice');
    expect(asked.form.get('client_secret')).toBe('a secret');
  });
});

describe('an identity token', () => {
  it.each<[string, object]>([
    ['for several audiences, and this party', { aud: ['console', 'other'], azp: 'console' }],
    ['for one audience in a list', { aud: ['console'] }],
    ['with many groups', { groups: Array.from({ length: 5000 }, (_, index) => `group-${index}`) }],
    [
      'of a clock that is a little ahead',
      { iat: Math.floor(Date.now() / 1000) + 50, nbf: Math.floor(Date.now() / 1000) + 50 },
    ],
    ['without nbf', { nbf: undefined }],
  ])('%s is accepted', async (_, change) => {
    expect(await signIn(first, undefined, change)).toBe('alice');
  });
  it('is accepted when the identity provider has several keys of one id', async () => {
    published = [pair('one').jwk, first.jwk, pair('one', 'ec').jwk];
    expect(await signIn(first)).toBe('alice');
  });
  it('is accepted when it names none of several keys', async () => {
    published = [pair('two').jwk, first.jwk];
    expect(await signIn(first, {})).toBe('alice');
  });
  it('is accepted right after the identity provider rotated its keys', async () => {
    expect(await signIn(first)).toBe('alice');
    const second = pair('two');
    published = [first.jwk, second.jwk];
    expect(await signIn(second)).toBe('alice');
  });
  it('is accepted right after the identity provider rotated a key and kept its id', async () => {
    expect(await signIn(first)).toBe('alice');
    const second = pair('one');
    published = [second.jwk];
    expect(await signIn(second)).toBe('alice');
  });
  it('is accepted beside a key set entry that is no key', async () => {
    published = [{}, { kty: 'AKP', alg: 'ML-DSA-65', kid: 'pq' }, first.jwk];
    expect(await signIn(first)).toBe('alice');
  });
  it('signed by a key that the identity provider does not publish is refused', async () => {
    await expect(signIn(pair('one'))).rejects.toBeInstanceOf(SignInDeclined);
    await expect(signIn(pair('two'))).rejects.toBeInstanceOf(SignInDeclined);
  });
  it('is undecided while the keys cannot be fetched', async () => {
    metadata = { ...metadata, jwks_uri: `${issuer}/nowhere` };
    await expect(signIn(first)).rejects.toBeInstanceOf(IdentityProviderUnreachable);
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
      kind === 'system' ? [authority.certificate] : ours(kind),
    );
    syncBuiltinESMExports();
    for (const ca of [null, createAuthority('another').certificate]) {
      expect(await signIn(first, undefined, {}, createOidcClient({ ...settings(), ca }))).toBe('alice');
    }
  });
});

describe('what is logged for the operator', () => {
  const begun = () => client.authorizationAddress(beginSignIn(null));
  it.each<[string, object, RegExp]>([
    [
      'another issuer',
      { issuer: 'https://elsewhere.example' },
      /it says to be "https:\/\/elsewhere\.example", and OIDC_ISSUER is/,
    ],
    [
      'keys in the clear',
      { jwks_uri: 'http://10.0.0.1/keys' },
      /jwks_uri is no https address: "http:\/\/10\.0\.0\.1\/keys"/,
    ],
  ])('of %s', async (_, change, said) => {
    metadata = change;
    await expect(begun()).rejects.toThrow(IdentityProviderUnreachable);
    await expect(begun()).rejects.toThrow(said);
  });
  it('of an unreachable identity provider, is its address and the network error', async () => {
    client = createOidcClient({ ...settings(), issuer: 'https://127.0.0.1:9' });
    await expect(begun()).rejects.toThrow(
      'https://127.0.0.1:9/.well-known/openid-configuration: connect ECONNREFUSED 127.0.0.1:9',
    );
  });
  it('of one whose token endpoint is away, is that and what the network said', async () => {
    metadata = { ...metadata, token_endpoint: 'https://127.0.0.1:2/token' };
    await expect(signIn(first)).rejects.toThrow('https://127.0.0.1:2/token: connect ECONNREFUSED 127.0.0.1:2');
  });
  it('of one that refuses the code, is in its words', async () => {
    refusal = { error: 'invalid_client', error_description: 'Client secret expired' };
    await expect(signIn(first)).rejects.toThrow(/^it says invalid_client: Client secret expired$/);
    refusal = { error: 'invalid_grant' };
    await expect(signIn(first)).rejects.toThrow(/^it says invalid_grant$/);
    await expect(signIn(first)).rejects.toThrow(SignInDeclined);
  });
  it('of one that refuses the client with a challenge (RFC 6749, section 5.2), are the variables to compare', async () => {
    refusal = { error: 'invalid_client' };
    challenge = { 'www-authenticate': 'Basic realm="directory"' };
    const refused = signIn(first, undefined, {}, connectedClient('a secret'));
    await expect(refused).rejects.toThrow(SignInDeclined);
    await expect(refused).rejects.toThrow(
      /^it refuses this client \(status 401\): compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/,
    );
  });
  it.each<[string, object, object, RegExp]>([
    [
      'of an algorithm it does not announce',
      { alg: 'HS256', kid: 'one' },
      {},
      /: unexpected JWT "alg" header parameter$/,
    ],
    ['of another sign-in', { kid: 'one' }, { nonce: 'other' }, /: unexpected ID Token "nonce" claim value$/],
    ['for another client', { kid: 'one' }, { aud: 'other' }, /: unexpected JWT "aud" \(audience\) claim value$/],
  ])('of an identity token %s, is its fault', async (_, header, change, said) => {
    const refused = signIn(first, header, change);
    await expect(refused).rejects.toThrow(SignInDeclined);
    await expect(refused).rejects.toThrow(said);
  });
  it('of one that refuses the sign-in, is in its words, and never a flood', async () => {
    const pending = beginSignIn(null);
    const back = `?error=invalid_scope&error_description=${'scope+'.repeat(1000)}&state=${pending.state}`;
    const said = await client.claims(pending, back).catch((error: Error) => error);
    expect(said).toBeInstanceOf(SignInDeclined);
    expect((said as Error).message).toMatch(/^it says invalid_scope: scope scope .{1,500}$/);
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
    await client.authorizationAddress(beginSignIn(null));
    metadata = { authorization_endpoint: `${issuer}/elsewhere` };
    expect(await client.authorizationAddress(beginSignIn(null))).toContain('/authorize?');
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    expect(await client.authorizationAddress(beginSignIn(null))).toContain('/elsewhere?');
  });
});

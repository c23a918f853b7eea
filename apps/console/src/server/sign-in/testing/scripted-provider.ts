import { generateKeyPairSync, type JsonWebKey, type KeyObject, sign } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { OidcSettings } from '../oidc-settings.ts';
import { beginSignIn, createOidcClient, type OidcClient } from '../oidc-sign-in.ts';

/** A signing key, and its public half as the identity provider publishes it. */
export interface Pair {
  readonly privateKey: KeyObject;
  readonly jwk: JsonWebKey;
}

/** An identity provider with scripted answers, and a client of it. */
export interface ScriptedProvider {
  readonly issuer: string;
  /** The PEM of the authority that certified it. */
  readonly authority: string;
  /** Its first key. */
  readonly first: Pair;
  /** What the token endpoint was asked: the form, and the authorization header. */
  readonly asked: { readonly form: URLSearchParams; readonly authorization: string | undefined };
  metadata: object;
  published: unknown[];
  /** What the token endpoint says instead of giving a token. */
  refusal: object | null;
  /** With which error it refuses a client that shows this authorization; null: with none. */
  refuses: (authorization: string | undefined) => string | null;
  /** With which it answers 401 to a client it does not know. */
  challenge: OutgoingHttpHeaders | null;
  client: OidcClient;
  readonly settings: () => OidcSettings;
  readonly connectedClient: (clientSecret: string | null, proxy?: OidcSettings['proxy']) => OidcClient;
  /** Signs in with an identity token of this header and these claims, signed by this key. */
  readonly signIn: (by: Pair, header?: object, change?: object, through?: OidcClient) => Promise<unknown>;
}

export function pair(kid: string, type: 'rsa' | 'ec' = 'rsa'): Pair {
  const { privateKey, publicKey } =
    type === 'rsa'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), use: 'sig', kid } };
}

/** One identity provider for all tests of a file; its answers and its client are each test's own. */
export function scriptedProviderSuite(): ScriptedProvider {
  const authority = createAuthority('authority of the directory');
  const certified = authority.certify(['127.0.0.1']);
  /** The identity token the next code is exchanged for. */
  let token: string;
  let first: Pair;
  let asked: ScriptedProvider['asked'];
  let client: OidcClient;

  const settings = (): OidcSettings => ({
    issuer: provider.issuer,
    clientId: 'console',
    clientSecret: null,
    audience: 'console',
    subjectClaim: 'sub',
    redirectUri: 'https://console.example/auth/callback',
    ca: authority.certificate,
    proxy: null,
  });

  const provider = {
    issuer: '',
    authority: authority.certificate,
    get first() {
      return first;
    },
    get asked() {
      return asked;
    },
    metadata: {} as object,
    published: [] as unknown[],
    refusal: null as ScriptedProvider['refusal'],
    refuses: (() => null) as ScriptedProvider['refuses'],
    challenge: null as ScriptedProvider['challenge'],
    get client() {
      return client;
    },
    set client(other: OidcClient) {
      client = other;
    },
    settings,
    connectedClient: (clientSecret: string | null, proxy: OidcSettings['proxy'] = null) =>
      createOidcClient({ ...settings(), clientSecret, proxy }),
    async signIn(by: Pair, header: object = { kid: by.jwk['kid'] }, change: object = {}, through = client) {
      const pending = beginSignIn(null);
      const now = Math.floor(Date.now() / 1000);
      const claims = {
        iss: provider.issuer,
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
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { issuer, metadata, published, refusal, challenge } = provider;
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
    const error = request.url === '/token' ? provider.refuses(request.headers.authorization) : null;
    if (error !== null) {
      response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
      return;
    }
    const made = answers[String(request.url)];
    const refused = request.url === '/token' && refusal !== null ? (challenge === null ? 400 : 401) : 200;
    response.writeHead(made ? refused : 404, { 'content-type': 'application/json', ...(refused === 401 && challenge) });
    response.end(JSON.stringify(made?.() ?? {}));
  }

  const server = createServer({ cert: certified.certificate, key: certified.key }, (request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    provider.issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    first = pair('one');
    Object.assign(provider, {
      refusal: null,
      challenge: null,
      refuses: () => null,
      metadata: { id_token_signing_alg_values_supported: ['RS256', 'ES256'] },
      published: [first.jwk],
      client: provider.connectedClient(null),
    });
  });
  afterAll(() => server.close());
  return provider;
}

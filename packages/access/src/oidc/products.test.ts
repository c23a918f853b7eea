import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { importJWK, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Authority, createAuthority } from '../development-authority.ts';
import { signingKey } from '../testing/identity-provider.ts';
import { KID, published } from '../testing/products.ts';
import { TRANSCRIPTS, type Transcript } from '../testing/transcripts.ts';
import { createIdentityProvider } from './token.ts';

let authority: Authority;
let server: Server;
let host: string;
let documents: Map<string, object>;
let asked: string[];

beforeAll(async () => {
  authority = createAuthority('authority of the directory');
  const { certificate, key } = authority.certify(['127.0.0.1']);
  server = createServer({ cert: certificate, key }, ({ url = '' }, response) => {
    asked.push(url);
    const document = documents.get(url);
    const type = 'keys' in (document ?? {}) ? 'application/jwk-set+json' : 'application/json;charset=UTF-8';
    response.writeHead(document ? 200 : 404, {
      'content-type': type,
      'cache-control': 'max-age=3600, must-revalidate',
    });
    response.end(JSON.stringify(document));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  host = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());
beforeEach(() => {
  documents = new Map();
  asked = [];
});

const discovery = (issuer: string) => `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

function describeAs({ issuer, keysAt, says }: Pick<Transcript, 'issuer' | 'keysAt' | 'says'>, keys: JWK[]): void {
  const described = { issuer: host + issuer, jwks_uri: host + keysAt, token_endpoint: `${host}/token`, ...says };
  documents.set(discovery(issuer), described).set(keysAt, { keys });
}
function issue(key: JWK, alg: string, header: object, claims: object): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const whole = { iat: now, nbf: now, exp: now + 300, ...claims };
  return importJWK(key, alg).then((by) => new SignJWT(whole).setProtectedHeader({ alg, ...header }).sign(by));
}
function verifierOf({ issuer, audience = 'gateway', subjectClaim = 'sub' }: Partial<Transcript>) {
  return createIdentityProvider({ issuer: host + issuer, audience, subjectClaim, ca: authority.certificate });
}

describe('a token of', () => {
  it.each(Object.entries(TRANSCRIPTS))('%s', async (_, transcript) => {
    const { alg = 'RS256', key, besides, header, claims, outcome } = transcript;
    const own = await signingKey(alg, KID);
    const others = (await besides?.()) ?? [];
    describeAs(transcript, [...others, published(own, { alg: undefined, ...key })]);
    const token = await issue(own, alg, header, { iss: host + transcript.issuer, ...claims });
    expect(await verifierOf(transcript).verify(token)).toMatchObject(outcome);
    const refusedUnseen = 'reason' in outcome && outcome.reason === 'token-algorithm';
    expect(asked.slice(0, 2)).toEqual(refusedUnseen ? [] : [discovery(transcript.issuer), transcript.keysAt]);
  });

  it('Keycloak, Authentik and Auth0 that a shared secret signed: refused without fetching keys', async () => {
    const secret: JWK = { kty: 'oct', k: Buffer.alloc(64, 7).toString('base64url') };
    for (const alg of ['HS256', 'HS512']) {
      const token = await issue(secret, alg, { kid: KID }, { iss: host, aud: 'gateway', sub: 'alice' });
      expect(await verifierOf({ issuer: '' }).verify(token)).toMatchObject({ reason: 'token-algorithm' });
    }
    expect(asked).toEqual([]);
  });
});

it('hundreds of concurrent tokens, during a rotation of keys, cause one fetch of the new ones', async () => {
  const place = { issuer: '/realms/acme', keysAt: '/keys' };
  const [old, next] = [await signingKey('RS256', 'old'), await signingKey('RS256', 'next')];
  describeAs(place, [published(old, {})]);
  const tokenBy = (key: JWK) =>
    issue(key, 'RS256', { kid: key.kid }, { iss: host + place.issuer, aud: 'gateway', sub: 'alice' });
  const [before, after] = [await tokenBy(old), await tokenBy(next)];
  const verifier = verifierOf(place);
  const served = { ok: true, subject: 'alice' };
  const all = (tokens: string[]) => Promise.all(tokens.map((token) => verifier.verify(token)));
  expect(new Set((await all(Array(200).fill(before))).map((verdict) => JSON.stringify(verdict)))).toEqual(
    new Set([JSON.stringify(served)]),
  );
  describeAs(place, [published(next, {}), published(old, {})]);
  const mixed = await all(Array.from({ length: 400 }, (_, index) => (index % 2 ? before : after)));
  expect(mixed.filter(({ ok }) => !ok)).toEqual([]);
  expect(asked).toEqual([discovery(place.issuer), '/keys', '/keys']);
});

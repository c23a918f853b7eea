import { createHmac, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { createLocalJWKSet, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { signingKey } from '../testing/identity-provider.ts';
import { CLAIMS, ISSUER, NOW, publicHalf, SECONDS, signedBy } from '../testing/signed-tokens.ts';
import { createTokenVerifier, type TokenVerdict } from './token.ts';

let key: JWK;
let published: JWK[];
let fetches: number;

beforeAll(async () => {
  key = await signingKey('RS256', 'main');
  published = [publicHalf(key)];
});

function verify(token: string, keys: readonly JWK[] = published, subjectClaim = 'sub'): Promise<TokenVerdict> {
  const set = createLocalJWKSet({ keys: [...keys] });
  fetches = 0;
  const store = {
    async current() {
      fetches += 1;
      return set;
    },
    newerThan: async () => set,
  };
  return createTokenVerifier({ issuer: ISSUER, audience: 'gateway', subjectClaim }, store, () => NOW).verify(token);
}

const signed = (claims: object, header: object = {}, by = key): Promise<string> => signedBy(by, claims, header);

/** A compact JWS as an attacker writes it: any header, any payload, any signature. */
function handMade(header: object, payload: unknown, signature: (text: string) => Buffer | string): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part(header)}.${part(payload)}`;
  return `${text}.${Buffer.from(signature(text)).toString('base64url')}`;
}

async function reasonOf(token: string, keys?: readonly JWK[]): Promise<string> {
  const verdict = await verify(token, keys);
  return verdict.ok ? `served as ${verdict.subject}` : verdict.reason;
}

describe('a token of the identity provider', () => {
  it('names its subject', async () => expect(await reasonOf(await signed(CLAIMS))).toBe('served as alice'));
  it.each([
    ['several audiences, ours among them', { aud: ['other', 'gateway'] }],
    ['no iat', { iat: undefined }],
    ['an nbf that has passed', { nbf: SECONDS - 5 }],
    ['an nbf within the leeway', { nbf: SECONDS + 59 }],
    ['an exp within the leeway', { exp: SECONDS - 59 }],
    ['additional claims', { roles: ['admin'], __proto__: { sub: 'mallory' } }],
    // roles-5
  ])('is good with %s', async (_, change) =>
    expect(await reasonOf(await signed({ ...CLAIMS, ...change }))).toBe('served as alice'),
  );
  it.each(['JWT', 'Jwt', 'application/jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt'])(
    'may be of type %s',
    async (typ) => expect(await reasonOf(await signed(CLAIMS, { typ }))).toBe('served as alice'),
  );
  it.each(['RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'])('may be signed with %s', async (alg) => {
    const { privateKey } = await generateKeyPair(alg, { extractable: true });
    const other = { ...(await exportJWK(privateKey)), alg, kid: 'other' };
    expect(await reasonOf(await signed(CLAIMS, {}, other), [publicHalf(key), publicHalf(other)])).toBe(
      'served as alice',
    );
  });
  it('that names no key is tried with each that could have signed it', async () => {
    const second = await signingKey('RS256', 'second');
    const keys = [publicHalf(second), publicHalf(key)];
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256' }).sign(await importJWK(key));
    expect(await reasonOf(token, keys)).toBe('served as alice');
    expect(await reasonOf(token, [publicHalf(second), publicHalf(await signingKey())])).toBe('token-signature');
  });
});

describe('claims that are wrong', () => {
  it.each([
    ['another issuer', { iss: 'https://evil.example' }, 'token-issuer'],
    ['the issuer with a slash', { iss: `${ISSUER}/` }, 'token-issuer'],
    ['no issuer', { iss: undefined }, 'token-issuer'],
    ['another audience', { aud: 'other' }, 'token-audience'],
    ['no audience', { aud: undefined }, 'token-audience'],
    ['an audience that only begins like ours', { aud: 'gateway2' }, 'token-audience'],
    ['an expiry that passed', { exp: SECONDS - 61 }, 'token-expired'],
    ['no expiry', { exp: undefined }, 'token-claims'],
    ['an expiry that is a text', { exp: String(SECONDS + 300) }, 'token-claims'],
    ['an expiry far in the future', { exp: SECONDS + 400 * 86_400 }, 'token-claims'],
    ['an expiry beyond every date', { exp: 1e300 }, 'token-claims'],
    ['an nbf that is a text', { nbf: String(SECONDS) }, 'token-claims'],
    ['an nbf to come', { nbf: SECONDS + 61 }, 'token-not-yet-valid'],
    ['an nbf far in the future', { nbf: 4_012_345_678 }, 'token-not-yet-valid'],
    ['an iat that is a text', { iat: 'today' }, 'token-claims'],
    ['an iat to come', { iat: SECONDS + 600 }, 'token-not-yet-valid'],
    ['no subject', { sub: undefined }, 'token-claims'],
    ['an empty subject', { sub: '' }, 'token-claims'],
    ['a subject that is no text', { sub: { toString: 'alice' } }, 'token-claims'],
    ['a subject of two lines', { sub: 'alice\r\nx-admin: yes' }, 'token-claims'],
    ['a subject with NUL', { sub: 'alice\0' }, 'token-claims'],
    ['a subject with half a character', { sub: 'alice\ud800' }, 'token-claims'],
    ['a subject with an invisible character', { sub: 'ali\u200bce' }, 'token-claims'],
    ['a subject that ends with a space', { sub: 'alice ' }, 'token-claims'],
    ['a subject without end', { sub: 'a'.repeat(256) }, 'token-claims'],
    [
      'the events of a logout',
      { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } },
      'token-claims',
    ],
  ])('%s', async (_, change, reason) => {
    const payload = JSON.parse(JSON.stringify({ ...CLAIMS, ...change })) as object;
    const header = { alg: 'RS256', kid: 'main' };
    const pem = await privateKeyOf(key);
    expect(await reasonOf(handMade(header, payload, (text) => sign('sha256', Buffer.from(text), pem)))).toBe(reason);
  });
  it.each([
    ['a text', 'alice'],
    ['a list', [1]],
    ['null', null],
    ['a number', 7],
  ])('a payload that is %s', async (_, payload) => {
    const pem = await privateKeyOf(key);
    const token = handMade({ alg: 'RS256', kid: 'main' }, payload, (text) => sign('sha256', Buffer.from(text), pem));
    expect(await reasonOf(token)).toBe('token-malformed');
  });
});

describe('an address that the identity provider did not verify is no subject: people may enter any', () => {
  it.each([
    ['email', { email_verified: false }, 'token-claims'],
    ['email', { email_verified: 'false' }, 'token-claims'],
    ['email', { email_verified: null }, 'token-claims'],
    ['email', { email_verified: true }, 'alice@example.org'],
    ['email', { email_verified: 'true' }, 'alice@example.org'],
    ['email', {}, 'alice@example.org'],
    ['phone_number', { phone_number_verified: false }, 'token-claims'],
    ['sub', { email_verified: false }, 'alice'],
  ])('%s with %j', async (claim, change, expected) => {
    const token = await signed({ ...CLAIMS, email: 'alice@example.org', phone_number: '+33', ...change });
    const verdict = await verify(token, published, claim);
    expect(verdict.ok ? verdict.subject : verdict.reason).toBe(expected);
  });
});

async function privateKeyOf(jwk: JWK) {
  const { createPrivateKey } = await import('node:crypto');
  return createPrivateKey({ key: jwk, format: 'jwk' });
}

describe('forgeries', () => {
  it.each(['none', 'None', 'NONE', ''])('alg %j', async (alg) =>
    expect(await reasonOf(handMade({ alg, kid: 'main' }, CLAIMS, () => ''))).toMatch(/^token-(algorithm|malformed)$/),
  );
  it('an HMAC with the public key as its secret', async () => {
    const der = createPublicKey({ key: publicHalf(key), format: 'jwk' });
    const secrets = [der.export({ format: 'pem', type: 'spki' }), der.export({ format: 'der', type: 'spki' })];
    for (const secret of [...secrets, JSON.stringify(publicHalf(key))]) {
      const mac = (text: string) => createHmac('sha256', secret).update(text).digest();
      expect(await reasonOf(handMade({ alg: 'HS256', kid: 'main' }, CLAIMS, mac))).toBe('token-algorithm');
    }
    expect(fetches).toBe(0);
  });
  it('a key of its own in jwk, jku, x5u or x5c: it is ignored, and nothing is fetched', async () => {
    const own = await signingKey('RS256', 'own');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    for (const offered of [
      { jwk: publicHalf(own) },
      { jku: 'https://evil.example/keys' },
      { x5u: 'https://evil.example/certificate' },
      { x5c: ['MIIB'] },
    ]) {
      expect(await reasonOf(await signed(CLAIMS, { ...offered, kid: 'main' }, own))).toBe('token-signature');
      const foreign = handMade({ alg: 'RS256', ...offered }, CLAIMS, (text) =>
        sign('sha256', Buffer.from(text), privateKey),
      );
      expect(await reasonOf(foreign)).toBe('token-signature');
    }
  });
  it.each(['jwk', 'jku', 'x5u'])('a key named in %s, even where the identity provider signed it', async (name) => {
    const token = await signed(CLAIMS, { [name]: name === 'jwk' ? publicHalf(key) : 'https://evil.example/keys' });
    expect(await reasonOf(token)).toBe('token-malformed');
  });
  it.each(['../../etc/passwd', "' OR '1'='1", '__proto__', 'constructor', '', 'main\0'])(
    'a kid that is %j',
    async (kid) => {
      const stranger = await signingKey();
      expect(await reasonOf(await signed(CLAIMS, { kid }, stranger))).toBe('token-signature');
    },
  );
  it('a kid that is no text', async () => {
    const pem = await privateKeyOf(await signingKey());
    const token = handMade({ alg: 'RS256', kid: { $ne: null } }, CLAIMS, (text) =>
      sign('sha256', Buffer.from(text), pem),
    );
    expect(await reasonOf(token)).toMatch(/^token-/);
  });
  it('an unknown critical extension', async () => {
    const pem = await privateKeyOf(key);
    for (const crit of [['b64'], ['exp'], ['unknown'], [], 'unknown']) {
      const header = { alg: 'RS256', kid: 'main', crit, b64: false, unknown: 1 };
      const token = handMade(header, CLAIMS, (text) => sign('sha256', Buffer.from(text), pem));
      expect(await reasonOf(token)).toBe('token-malformed');
    }
  });
  it('a critical extension, whose name is not stored', async () => {
    const header = { alg: 'RS256', kid: 'main', crit: ['the caller wrote'], 'the caller wrote': 1 };
    const verdict = await verify(handMade(header, CLAIMS, () => Buffer.from('any')));
    expect(verdict).toMatchObject({ ok: false, reason: 'token-malformed' });
    expect(JSON.stringify(verdict)).not.toContain('wrote');
  });
  it('the algorithm of another key', async () => {
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const curve = { ...(await exportJWK(privateKey)), alg: 'ES256', kid: 'main' };
    expect(await reasonOf(await signed(CLAIMS, {}, curve))).toBe('token-signature');
  });
  it('a key that is too weak, although the identity provider published it', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const weak = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'weak' } as JWK;
    const token = handMade({ alg: 'RS256', kid: 'weak' }, CLAIMS, (text) =>
      sign('sha256', Buffer.from(text), privateKey),
    );
    expect(await reasonOf(token, [weak])).toBe('token-signature');
    const good = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256' }).sign(await importJWK(key));
    expect(await reasonOf(good, [weak, publicHalf(key)])).toBe('served as alice');
  });
  it('a shared secret that the identity provider published by mistake', async () => {
    const secret = Buffer.from('a secret of thirty-two characters');
    const oct: JWK = { kty: 'oct', k: secret.toString('base64url'), kid: 'oct' };
    const mac = (text: string) => createHmac('sha256', secret).update(text).digest();
    expect(await reasonOf(handMade({ alg: 'HS256', kid: 'oct' }, CLAIMS, mac), [oct])).toBe('token-algorithm');
  });
  it('another type of token', async () => {
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', 'x-application/jwt', 'application/application/jwt']) {
      expect(await reasonOf(await signed(CLAIMS, { typ }))).toBe('token-malformed');
    }
  });
  it('a changed payload, header or signature', async () => {
    const [head, payload, signature] = (await signed(CLAIMS)).split('.');
    const other = Buffer.from(JSON.stringify({ ...CLAIMS, sub: 'mallory' })).toString('base64url');
    expect(await reasonOf(`${head}.${other}.${signature}`)).toBe('token-signature');
    expect(await reasonOf(`${head}.${payload}.${signature?.slice(0, -8)}AAAAAAAA`)).toBe('token-signature');
    expect(await reasonOf(`${head}.${payload}.`)).toBe('token-signature');
  });
  it.each(['', 'x', 'a.b.c', '..', '{}', "' OR '1'='1", 'a.b.c.d.e', '\u{10FFFF}.é.x', 'eyJhbGciOiJSUzI1NiJ9'])(
    'no token at all: %j',
    async (token) => expect(await reasonOf(token)).toMatch(/^token-(malformed|algorithm)$/),
  );
  it('the detail for the log contains nothing of the token', async () => {
    const verdict = await verify(await signed({ ...CLAIMS, aud: 'other', secret: 'of-the-caller' }));
    expect(JSON.stringify(verdict)).not.toMatch(/of-the-caller|other/);
  });
});

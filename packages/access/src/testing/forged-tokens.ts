import { createSecretKey } from 'node:crypto';
import { createLocalJWKSet, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { createTokenVerifier, type TokenVerifier } from '../oidc/token.ts';

const ISSUER = 'https://identity.example';
const NOW = 1_767_225_600_000;
const CLAIMS = { iss: ISSUER, aud: 'gateway', sub: 'alice', iat: NOW / 1000 - 10, exp: NOW / 1000 + 600 };

/** Headers that have deceived verifiers: none may be followed, fetched or obeyed. */
const HEADERS = [
  { alg: 'none' },
  { alg: 'RS256', kid: '../../etc/passwd' },
  { alg: 'RS256', kid: "' or 1=1 --" },
  { alg: 'RS256', jku: 'https://evil.example/keys' },
  { alg: 'RS256', x5u: 'https://evil.example/x5u' },
  { alg: 'RS256', crit: ['unknown'], unknown: 1 },
  { alg: 'RS256', b64: false, crit: ['b64'] },
];
const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Tokens of an identity provider that must be accepted, tokens that must not be, and their verifier. */
export interface ForgedTokens {
  readonly taken: readonly string[];
  readonly refused: readonly string[];
  /** At one moment, with the provider's one key: nothing is fetched. */
  readonly verifier: TokenVerifier;
}

export async function forgedTokens(): Promise<ForgedTokens> {
  const [own, other] = await Promise.all([
    generateKeyPair('RS256', { extractable: true }),
    generateKeyPair('RS256', { extractable: true }),
  ]);
  const sign = (claims: object, header: object = {}, key: Parameters<SignJWT['sign']>[0] = own.privateKey) =>
    new SignJWT({ ...CLAIMS, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'one', ...header })
      .sign(key);
  const good = await sign({});
  const publicKey = createSecretKey(Buffer.from(await exportSPKI(own.publicKey)));
  const refused = await Promise.all([
    sign({ aud: 'another' }),
    sign({ iss: 'https://evil.example' }),
    sign({ exp: NOW / 1000 - 3600 }),
    sign({ exp: String(NOW) }),
    sign({ nbf: NOW / 1000 + 3600 }),
    sign({ sub: 7 }),
    sign({}, {}, other.privateKey),
    sign({}, { jwk: await exportJWK(other.publicKey) }, other.privateKey),
    sign({}, { alg: 'HS256' }, publicKey),
  ]);
  const forged = HEADERS.map((header) => `${part(header)}.${good.split('.').slice(1).join('.')}`);
  const set = createLocalJWKSet({ keys: [{ ...(await exportJWK(own.publicKey)), kid: 'one', alg: 'RS256' }] });
  const keys = { current: async () => set, newerThan: async () => set };
  return {
    taken: [good, await sign({ sub: 'bob' }), await sign({ aud: ['gateway', 'other'] })],
    refused: [...refused, ...forged, `${part({ alg: 'none' })}.${part(CLAIMS)}.`],
    verifier: createTokenVerifier({ issuer: ISSUER, audience: 'gateway', subjectClaim: 'sub' }, keys, () => NOW),
  };
}

import { importJWK, type JWK, SignJWT } from 'jose';

export const ISSUER = 'https://directory.example/realm';
export const NOW = Date.UTC(2026, 0, 15, 12);
export const SECONDS = NOW / 1000;
/** Claims that are good at `NOW`. */
export const CLAIMS = { iss: ISSUER, aud: 'gateway', sub: 'alice', iat: SECONDS - 10, exp: SECONDS + 300 };

/** What an identity provider publishes of a signing key. */
export function publicHalf({ kty, n, e, crv, x, y, alg, kid, use }: JWK): JWK {
  const half = { kty, n, e, crv, x, y, alg, kid, use };
  return Object.fromEntries(Object.entries(half).filter(([, value]) => value !== undefined));
}

export async function signedBy(by: JWK, claims: object, header: object): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: String(by.alg), kid: String(by.kid), ...header })
    .sign(await importJWK(by));
}

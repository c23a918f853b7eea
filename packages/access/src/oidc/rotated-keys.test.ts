import { createLocalJWKSet, importJWK, type JWK, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { signingKey } from '../testing/identity-provider.ts';
import { CLAIMS, ISSUER, NOW, publicHalf, SECONDS, signedBy } from '../testing/signed-tokens.ts';
import { createTokenVerifier } from './token.ts';
import { IdentityProviderUnreachable } from './transport.ts';

let key: JWK;
beforeAll(async () => {
  key = await signingKey('RS256', 'main');
});

const signed = (claims: object, header: object = {}, by = key): Promise<string> => signedBy(by, claims, header);

describe('an identity provider that rotated its keys', () => {
  const unnamed = async (by: JWK) => new SignJWT(CLAIMS).setProtectedHeader({ alg: 'RS256' }).sign(await importJWK(by));
  let before: JWK;
  let between: JWK;
  let foreign: JWK;
  beforeAll(async () => {
    before = await signingKey('RS256', 'before');
    between = await signingKey('RS256', 'between');
    foreign = await signingKey('RS256', 'foreign');
  });
  /** The result for a token with our keys and the identity provider's current keys. */
  async function afterExchange(token: string, held: readonly JWK[], now: readonly JWK[] | null): Promise<string> {
    const [known, newer] = [held, now ?? []].map((keys) => createLocalJWKSet({ keys: keys.map(publicHalf) }));
    if (!known || !newer) throw new Error('two sets');
    const newerThan = async () => {
      if (now === null) throw new IdentityProviderUnreachable('away');
      return newer;
    };
    const rules = { issuer: ISSUER, audience: 'gateway', subjectClaim: 'sub' };
    const verdict = await createTokenVerifier(rules, { current: async () => known, newerThan }, () => NOW).verify(
      token,
    );
    return verdict.ok ? `served as ${verdict.subject}` : verdict.reason;
  }

  it('is followed by a new name', async () => {
    expect(await afterExchange(await signed(CLAIMS), [before], [key])).toBe('served as alice');
  });
  it('is followed where tokens name no key', async () => {
    expect(await afterExchange(await unnamed(key), [before], [key])).toBe('served as alice');
    expect(await afterExchange(await unnamed(key), [before], [between, key])).toBe('served as alice');
  });
  it('is followed where the new key has the name of the old', async () => {
    const old = { ...before, kid: 'main' };
    expect(await afterExchange(await signed(CLAIMS), [old], [key])).toBe('served as alice');
    expect(await afterExchange(await signed(CLAIMS), [old], [old, key])).toBe('served as alice');
    expect(await afterExchange(await signed(CLAIMS), [before], [old, key])).toBe('served as alice');
  });
  it('accepts no forgery and no wrong claim', async () => {
    const forged = await signed(CLAIMS, { kid: 'main' }, foreign);
    expect(await afterExchange(forged, [key], [key, before])).toBe('token-signature');
    expect(await afterExchange(await unnamed(foreign), [key], [key, before])).toBe('token-signature');
    expect(await afterExchange(await signed({ ...CLAIMS, aud: 'x' }), [before], [key])).toBe('token-audience');
  });
  it('receives no request for a token of ours that expired, or has another audience', async () => {
    const held = [publicHalf(before), publicHalf(key)];
    let asked = 0;
    const set = createLocalJWKSet({ keys: held });
    const newerThan = async () => {
      asked += 1;
      return set;
    };
    const rules = { issuer: ISSUER, audience: 'gateway', subjectClaim: 'sub' };
    const verifier = createTokenVerifier(rules, { current: async () => set, newerThan }, () => NOW);
    const unnamedBy = async (change: object) =>
      new SignJWT({ ...CLAIMS, ...change }).setProtectedHeader({ alg: 'RS256' }).sign(await importJWK(key));
    for (const [change, reason] of [
      [{ exp: SECONDS - 61 }, 'token-expired'],
      [{ aud: 'other' }, 'token-audience'],
    ] as const) {
      expect(await verifier.verify(await signed({ ...CLAIMS, ...change }))).toMatchObject({ ok: false, reason });
      expect(await verifier.verify(await unnamedBy(change))).toMatchObject({ ok: false, reason });
    }
    expect(asked).toBe(0);
  });
  it('and is unavailable: a token that none of our keys signed is refused, one that names another key is undecided', async () => {
    expect(await afterExchange(await signed(CLAIMS, { kid: 'main' }, foreign), [key], null)).toBe('token-signature');
    expect(await afterExchange(await signed(CLAIMS), [before], null)).toBe('directory-unreachable');
  });
});

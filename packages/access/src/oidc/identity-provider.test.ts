import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signingKey, startIdentityProvider, type TestIdentityProvider } from '../testing/identity-provider.ts';
import { KEYS_FRESH_MS, RETRY_MS } from './keys.ts';
import { createIdentityProvider, type TokenVerifier } from './token.ts';

let provider: TestIdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider();
});
afterAll(() => provider.stop());

/** A verifier with a clock that a test can move, by milliseconds. */
function verifier(change: { subjectClaim?: string; audience?: string; ca?: string } = {}) {
  const clock = { ahead: 0 };
  const made: TokenVerifier = createIdentityProvider({
    issuer: provider.issuer,
    audience: 'gateway',
    subjectClaim: 'sub',
    ca: provider.authority.certificate,
    now: () => Date.now() + clock.ahead,
    ...change,
  });
  return { clock, verify: (token: string) => made.verify(token) };
}

describe('a token of a real identity provider', () => {
  it('names its subject', async () => {
    expect(await verifier().verify(await provider.signIn('alice'))).toEqual({ ok: true, subject: 'alice' });
  });
  it('names its subject by another claim, where one is configured', async () => {
    const { verify } = verifier({ subjectClaim: 'preferred_username' });
    expect(await verify(await provider.signIn('alice'))).toEqual({ ok: true, subject: 'alice@acme.example' });
  });
  it('has no such claim: refused, never another one instead', async () => {
    const { verify } = verifier({ subjectClaim: 'email' });
    expect(await verify(await provider.signIn('alice'))).toMatchObject({ ok: false, reason: 'token-claims' });
  });
  it('for another client is refused', async () => {
    expect(await verifier().verify(await provider.signIn('alice', 'other'))).toMatchObject({
      reason: 'token-audience',
    });
  });
  it('that expired is refused, with a minute of leeway', async () => {
    const { clock, verify } = verifier();
    const token = await provider.signIn('alice');
    clock.ahead = (provider.lifetime + 50) * 1000;
    expect(await verify(token)).toMatchObject({ ok: true });
    clock.ahead = (provider.lifetime + 70) * 1000;
    expect(await verify(token)).toMatchObject({ ok: false, reason: 'token-expired' });
  });
  it('is refused where the clocks are ten minutes apart, either way', async () => {
    const { clock, verify } = verifier();
    const token = await provider.signIn('alice');
    clock.ahead = -600_000;
    expect(await verify(token)).toMatchObject({ ok: false, reason: 'token-not-yet-valid' });
    clock.ahead = 661_000;
    expect(await verify(token)).toMatchObject({ ok: false, reason: 'token-expired' });
  });
  it.each(['PS256', 'ES256', 'ES384'])('may be signed with %s', async (alg) => {
    const before = provider.keys;
    await provider.stop();
    provider.keys = [await signingKey(alg), ...before];
    await provider.start();
    expect(await verifier().verify(await provider.signIn('alice'))).toMatchObject({ ok: true });
  });
});

describe('an identity provider that changes', () => {
  it('rotates its keys: the new one is fetched at its first use', async () => {
    const { verify } = verifier();
    const old = await provider.signIn('alice');
    expect(await verify(old)).toMatchObject({ ok: true });
    await provider.stop();
    provider.keys = [await signingKey()];
    await provider.start();
    expect(await verify(await provider.signIn('bob'))).toEqual({ ok: true, subject: 'bob' });
    expect(await verify(old)).toMatchObject({ ok: false, reason: 'token-signature' });
  });
  it('is down: its keys serve for their time, then nothing is decided, and all resumes by itself', async () => {
    const { clock, verify } = verifier();
    provider.lifetime = 86_400;
    await provider.stop();
    await provider.start();
    const token = await provider.signIn('alice');
    expect(await verify(token)).toMatchObject({ ok: true });
    await provider.stop();
    clock.ahead = KEYS_FRESH_MS - 60_000;
    expect(await verify(token)).toMatchObject({ ok: true });
    clock.ahead = KEYS_FRESH_MS + 1000;
    expect(await verify(token)).toMatchObject({ ok: false, reason: 'directory-unreachable' });
    await provider.start();
    clock.ahead += RETRY_MS;
    expect(await verify(token)).toMatchObject({ ok: true });
  });
  it('was never reached: nothing is decided', async () => {
    const token = await provider.signIn('alice');
    await provider.stop();
    expect(await verifier().verify(token)).toMatchObject({ ok: false, reason: 'directory-unreachable' });
    await provider.start();
  });
  it('presents a certificate of an unconfigured authority', async () => {
    const { createAuthority } = await import('../development-authority.ts');
    const { verify } = verifier({ ca: createAuthority('stranger').certificate });
    const verdict = await verify(await provider.signIn('alice'));
    expect(verdict).toMatchObject({ ok: false, reason: 'directory-unreachable' });
    expect(JSON.stringify(verdict)).toMatch(/certificate/i);
  });
});

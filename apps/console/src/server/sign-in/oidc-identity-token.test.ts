import { IdentityProviderUnreachable } from '@gateway/access';
import { describe, expect, it } from 'vitest';
import { SignInDeclined } from './oidc-sign-in.ts';
import { pair, scriptedProviderSuite } from './testing/scripted-provider.ts';

const provider = scriptedProviderSuite();

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
    expect(await provider.signIn(provider.first, undefined, change)).toBe('alice');
  });
  it('is accepted when the identity provider has several keys of one id', async () => {
    provider.published = [pair('one').jwk, provider.first.jwk, pair('one', 'ec').jwk];
    expect(await provider.signIn(provider.first)).toBe('alice');
  });
  it('is accepted when it names none of several keys', async () => {
    provider.published = [pair('two').jwk, provider.first.jwk];
    expect(await provider.signIn(provider.first, {})).toBe('alice');
  });
  it('is accepted right after the identity provider rotated its keys', async () => {
    expect(await provider.signIn(provider.first)).toBe('alice');
    const second = pair('two');
    provider.published = [provider.first.jwk, second.jwk];
    expect(await provider.signIn(second)).toBe('alice');
  });
  it('is accepted right after the identity provider rotated a key and kept its id', async () => {
    expect(await provider.signIn(provider.first)).toBe('alice');
    const second = pair('one');
    provider.published = [second.jwk];
    expect(await provider.signIn(second)).toBe('alice');
  });
  it('is accepted beside a key set entry that is no key', async () => {
    provider.published = [{}, { kty: 'AKP', alg: 'ML-DSA-65', kid: 'pq' }, provider.first.jwk];
    expect(await provider.signIn(provider.first)).toBe('alice');
  });
  it('signed by a key that the identity provider does not publish is refused', async () => {
    await expect(provider.signIn(pair('one'))).rejects.toBeInstanceOf(SignInDeclined);
    await expect(provider.signIn(pair('two'))).rejects.toBeInstanceOf(SignInDeclined);
  });
  it('is undecided while the keys cannot be fetched', async () => {
    provider.metadata = { ...provider.metadata, jwks_uri: `${provider.issuer}/nowhere` };
    await expect(provider.signIn(provider.first)).rejects.toBeInstanceOf(IdentityProviderUnreachable);
  });
});

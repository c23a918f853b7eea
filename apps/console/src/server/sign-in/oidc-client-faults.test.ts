import { IdentityProviderUnreachable } from '@gateway/access';
import { describe, expect, it } from 'vitest';
import { beginSignIn, checkIdentityProvider, createOidcClient, SignInDeclined } from './oidc-sign-in.ts';
import { scriptedProviderSuite } from './testing/scripted-provider.ts';

const provider = scriptedProviderSuite();

describe('what is logged for the operator', () => {
  const begun = () => provider.client.authorizationAddress(beginSignIn(null));
  it.each<[string, object, RegExp]>([
    [
      'another issuer',
      { issuer: 'https://elsewhere.example' },
      /its issuer is "https:\/\/elsewhere\.example", and OIDC_ISSUER is/,
    ],
    [
      'keys in the clear',
      { jwks_uri: 'http://10.0.0.1/keys' },
      /jwks_uri is not an https address: "http:\/\/10\.0\.0\.1\/keys"/,
    ],
  ])('of %s', async (_, change, said) => {
    provider.metadata = change;
    await expect(begun()).rejects.toThrow(IdentityProviderUnreachable);
    await expect(begun()).rejects.toThrow(said);
  });
  it('is said at the start, before anybody signs in', async () => {
    const said: string[] = [];
    const check = (issuer: string) =>
      checkIdentityProvider({ ...provider.settings(), issuer }, (line) => said.push(line));
    const { issuer } = provider.settings();
    await check(issuer);
    expect(said).toEqual([]);
    provider.metadata = { issuer: 'https://elsewhere.example' };
    await check(issuer);
    await check('https://127.0.0.1:9');
    expect(said).toEqual([
      expect.stringMatching(
        /^OIDC_ISSUER: nobody can sign in while this lasts: .+ its issuer is "https:\/\/elsewhere\.example"/,
      ),
      expect.stringContaining('connect ECONNREFUSED 127.0.0.1:9'),
    ]);
  });
  it('of an unreachable identity provider, is its address and the network error', async () => {
    provider.client = createOidcClient({ ...provider.settings(), issuer: 'https://127.0.0.1:9' });
    await expect(begun()).rejects.toThrow(
      'https://127.0.0.1:9/.well-known/openid-configuration: connect ECONNREFUSED 127.0.0.1:9',
    );
  });
  it('of one whose token endpoint is away, is that and what the network said', async () => {
    provider.metadata = { ...provider.metadata, token_endpoint: 'https://127.0.0.1:2/token' };
    await expect(provider.signIn(provider.first)).rejects.toThrow(
      'https://127.0.0.1:2/token: connect ECONNREFUSED 127.0.0.1:2',
    );
  });
  it('of one that refuses the code, is in its words', async () => {
    provider.refusal = { error: 'invalid_client', error_description: 'Client secret expired' };
    await expect(provider.signIn(provider.first)).rejects.toThrow(/^it says invalid_client: Client secret expired$/);
    provider.refusal = { error: 'invalid_grant' };
    await expect(provider.signIn(provider.first)).rejects.toThrow(/^it says invalid_grant$/);
    await expect(provider.signIn(provider.first)).rejects.toThrow(SignInDeclined);
  });
  it('of one that refuses the client with a challenge (RFC 6749, section 5.2), are the variables to compare', async () => {
    provider.refusal = { error: 'invalid_client' };
    provider.challenge = { 'www-authenticate': 'Basic realm="directory"' };
    const refused = provider.signIn(provider.first, undefined, {}, provider.connectedClient('a secret'));
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
    const refused = provider.signIn(provider.first, header, change);
    await expect(refused).rejects.toThrow(SignInDeclined);
    await expect(refused).rejects.toThrow(said);
  });
  it('of one that refuses the sign-in, is in its words, and never a flood', async () => {
    const pending = beginSignIn(null);
    const back = `?error=invalid_scope&error_description=${'scope+'.repeat(1000)}&state=${pending.state}`;
    const said = await provider.client.claims(pending, back).catch((error: Error) => error);
    expect(said).toBeInstanceOf(SignInDeclined);
    expect((said as Error).message).toMatch(/^it says invalid_scope: scope scope .{1,500}$/);
  });
});

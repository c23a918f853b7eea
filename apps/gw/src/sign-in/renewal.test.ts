import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { credentialsFile, type TokenCredential } from './credentials-file.ts';
import { createKeptCredentials } from './kept-credential.ts';
import { directorySuite, type Reply } from './testing/directory.ts';

const directory = directorySuite();
const GATEWAY = 'https://gateway.example';
// The library that reads tokens has the machine's clock.
const EXPIRY = new Date('2100-06-01T13:00:00Z');
const before = (minutes: number): Date => new Date(EXPIRY.getTime() - minutes * 60_000);
const inHours = (hours: number): number => Math.floor(EXPIRY.getTime() / 1000) + hours * 3600;

/** A home in which a person signed in. */
async function signedIn(change: Partial<TokenCredential> = {}) {
  const home = temporaryFolder();
  const file = credentialsFile(home);
  const token: TokenCredential = {
    kind: 'token',
    issuer: directory.issuer,
    clientId: 'gw',
    sends: 'idToken',
    idToken: 'the-id-token',
    accessToken: 'the-access-token',
    refreshToken: 'refresh-1',
    expiresAt: EXPIRY.toISOString(),
    ...change,
  };
  await file.update(GATEWAY, async () => token);
  return {
    token,
    kept: () => file.read(GATEWAY),
    proof: (now: Date) => createKeptCredentials({ home, now: () => now, fetch }).proofFor(GATEWAY),
    file,
    home,
  };
}

/** What the provider answers to a renewal. */
function renews(change: Record<string, unknown> = {}): string {
  const idToken = directory.token({ exp: inHours(1) });
  directory.on('/token', () => ({
    body: {
      token_type: 'Bearer',
      access_token: 'access-2',
      refresh_token: 'refresh-2',
      id_token: idToken,
      ...change,
    },
  }));
  return idToken;
}

describe('a sign-in that expires within two minutes', () => {
  it('is renewed and kept, with the next refresh token', async () => {
    const idToken = renews();
    const { proof, kept, token } = await signedIn();
    expect(await proof(before(1))).toBe(idToken);
    expect(directory.asked).toEqual([
      { path: '/token', form: { grant_type: 'refresh_token', refresh_token: 'refresh-1', client_id: 'gw' } },
    ]);
    expect(await kept()).toEqual({
      ...token,
      idToken,
      accessToken: 'access-2',
      refreshToken: 'refresh-2',
      expiresAt: '2100-06-01T14:00:00.000Z',
    });
  });

  it('is renewed once for all calls that follow', async () => {
    const idToken = renews();
    const { home } = await signedIn();
    const credentials = createKeptCredentials({ home, now: () => before(1), fetch });
    expect([await credentials.proofFor(GATEWAY), await credentials.proofFor(GATEWAY)]).toEqual([idToken, idToken]);
    expect(directory.asked).toHaveLength(1);
  });

  it('keeps its refresh token where the provider gives no next one', async () => {
    renews({ refresh_token: undefined });
    const { proof, kept } = await signedIn();
    await proof(before(1));
    expect(await kept()).toMatchObject({ refreshToken: 'refresh-1', accessToken: 'access-2' });
  });

  it('sends the new access token where the gateway takes that one, and keeps the old identity token', async () => {
    const access = directory.token({ exp: inHours(2) });
    renews({ access_token: access, id_token: undefined });
    const { proof, kept } = await signedIn({ sends: 'accessToken' });
    expect(await proof(before(1))).toBe(access);
    expect(await kept()).toMatchObject({
      idToken: 'the-id-token',
      accessToken: access,
      expiresAt: '2100-06-01T15:00:00.000Z',
    });
  });

  it('stays as it is while the provider cannot renew it, and is tried again at the next call', async () => {
    const { proof, kept, token } = await signedIn();
    const failures: Reply[] = [{ status: 503, body: 'busy' }, 'cut', { status: 400, body: { error: 'invalid_grant' } }];
    for (const failure of failures) {
      directory.on('/token', () => failure);
      expect(await proof(before(1))).toBe('the-id-token');
    }
    expect([await kept(), directory.asked.length]).toEqual([token, 3]);
    const idToken = renews();
    expect(await proof(before(1))).toBe(idToken);
  });

  it('leaves the sign-ins at other gateways alone', async () => {
    renews();
    const { proof, file } = await signedIn();
    await file.update('https://other.example', async () => ({ kind: 'key', key: 'k' }));
    await proof(before(1));
    expect(await file.read('https://other.example')).toEqual({ kind: 'key', key: 'k' });
  });
});

describe('a sign-in that has expired', () => {
  it('is renewed', async () => {
    const idToken = renews();
    const { proof } = await signedIn();
    expect(await proof(before(-30))).toBe(idToken);
  });

  it.each<[string, () => Reply, RegExp]>([
    [
      'the refresh token was revoked',
      () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'Revoked.' } }),
      / refused: invalid_grant \(Revoked\.\)\. Sign in again: gw login\.$/,
    ],
    ['the provider is busy', () => ({ status: 503, body: 'busy' }), / cannot be used: .+ Sign in again: gw login\.$/],
    ['the provider goes away', () => 'cut', / cannot be used: .+ Sign in again: gw login\.$/],
    [
      'the token that the gateway takes is not renewed',
      () => ({ body: { token_type: 'Bearer', access_token: 'access-2' } }),
      /renewed no token that the gateway accepts\. Sign in again: gw login\.$/,
    ],
    [
      'the new token is another client’s',
      () => ({
        body: {
          token_type: 'Bearer',
          access_token: 'access-2',
          id_token: directory.token({ aud: 'another', exp: inHours(1) }),
        },
      }),
      /"aud".* Sign in again: gw login\.$/,
    ],
  ])('asks for another sign-in where %s, and is kept as it was', async (_, answer, says) => {
    directory.on('/token', answer);
    const expired = directory.token({ exp: inHours(0) });
    const { proof, kept, token } = await signedIn({ idToken: expired });
    const proven = proof(before(-1));
    await expect(proven).rejects.toThrow(/^Your sign-in cannot be renewed\. /);
    await expect(proven).rejects.toThrow(says);
    await expect(proven).rejects.not.toThrow(/Sign in again.*Sign in again/);
    expect(await kept()).toEqual(token);
  });

  it('asks for another sign-in where its provider publishes nothing any more', async () => {
    directory.on('/.well-known/openid-configuration', () => ({ status: 404, body: 'gone' }));
    const { proof } = await signedIn();
    await expect(proof(before(-1))).rejects.toThrow(
      `Your sign-in cannot be renewed. The identity provider ${directory.issuer} cannot be used: `,
    );
    expect(directory.asked).toEqual([]);
  });
});

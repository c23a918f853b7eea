import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { credentialsFile, type TokenCredential } from './credentials-file.ts';
import { logout } from './logout.ts';
import { directorySuite, type Reply } from './testing/directory.ts';

const directory = directorySuite();
const GATEWAY = 'https://gateway.example';

async function signOut(change: Partial<TokenCredential> = {}) {
  const home = temporaryFolder();
  const file = credentialsFile(home);
  await file.update('https://other.example', async () => ({ kind: 'key', key: 'other' }));
  await file.update(GATEWAY, async () => ({
    kind: 'token',
    issuer: directory.issuer,
    clientId: 'gw',
    sends: 'idToken',
    idToken: 'i',
    accessToken: 'the-access-token',
    refreshToken: 'the-refresh-token',
    expiresAt: '2026-06-01T13:00:00.000Z',
    ...change,
  }));
  const outcome = await logout(GATEWAY, home, fetch);
  expect(await file.read(GATEWAY)).toBeNull();
  expect(await file.read('https://other.example')).toEqual({ kind: 'key', key: 'other' });
  return outcome;
}

describe('signing out', () => {
  it('revokes the refresh token, then the access token', async () => {
    directory.on('/revoke', () => ({ body: '' }));
    expect(await signOut()).toEqual({ outcome: 'revoked' });
    expect(directory.asked.map(({ form }) => form)).toEqual([
      { token: 'the-refresh-token', token_type_hint: 'refresh_token', client_id: 'gw' },
      { token: 'the-access-token', token_type_hint: 'access_token', client_id: 'gw' },
    ]);
  });

  it('revokes the access token alone where there is no refresh token', async () => {
    directory.on('/revoke', () => ({ body: '' }));
    expect(await signOut({ refreshToken: null })).toEqual({ outcome: 'revoked' });
    expect(directory.asked.map(({ form }) => form['token'])).toEqual(['the-access-token']);
  });

  it('says until when the tokens serve where the provider revokes none', async () => {
    delete directory.metadata['revocation_endpoint'];
    expect(await signOut()).toEqual({
      outcome: 'deleted',
      reason: `${directory.issuer} revokes no tokens; they end at 2026-06-01T13:00:00.000Z.`,
    });
  });

  it.each<[string, Reply, RegExp]>([
    [
      'refuses',
      { status: 400, body: { error: 'unsupported_token_type', error_description: 'Ask the administrator.' } },
      / refused: unsupported_token_type \(Ask the administrator\.\)\.$/,
    ],
    ['fails', { status: 500, body: '<h1>Error</h1>' }, / cannot be used: [^<]+\.$/],
    ['goes away', 'cut', / cannot be used: .+\.$/],
  ])('deletes the tokens here where the provider %s, and gives its reason', async (_, reply, says) => {
    directory.on('/revoke', () => reply);
    expect(await signOut()).toEqual({ outcome: 'deleted', reason: expect.stringMatching(says) as string });
  });

  it('deletes the tokens here where the issuer is no https address', async () => {
    expect(await signOut({ issuer: 'http://directory.example' })).toEqual({
      outcome: 'deleted',
      reason: 'The identity provider http://directory.example has no https address.',
    });
  });
});

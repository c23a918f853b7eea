import { expect, it } from 'vitest';
import { fakeGateway } from '../testing/fake-gateway.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { credentialsFile } from './credentials-file.ts';
import { createKeptCredentials } from './kept-credential.ts';
import { loginWithProvider } from './login.ts';
import { directorySuite } from './testing/directory.ts';

const directory = directorySuite({ trusted: false });

it('asks for the certificate of an authority that this machine does not know, and shows no address to open', async () => {
  const { url } = await fakeGateway(() => ({ status: 200, body: { issuer: directory.issuer, clientId: 'gw' } }));
  const ports = { home: temporaryFolder(), now: () => new Date(), fetch, signal: new AbortController().signal };
  const shown: string[] = [];
  const signedIn = loginWithProvider(url, ports, { flow: 'code', show: (address) => shown.push(address) });
  await expect(signedIn).rejects.toThrow(
    /^The identity provider https:\S+ cannot be used: .+\. Set NODE_EXTRA_CA_CERTS to the file of its certificate authority\.$/,
  );
  expect(shown).toEqual([]);
});

it('renews no token at a provider that this machine does not trust, and sends it nothing', async () => {
  const home = temporaryFolder();
  await credentialsFile(home).update('https://gateway.example', async () => ({
    kind: 'token',
    issuer: directory.issuer,
    clientId: 'gw',
    sends: 'idToken',
    idToken: 'i',
    accessToken: 'a',
    refreshToken: 'the-refresh-token',
    expiresAt: '2026-01-01T00:00:00.000Z',
  }));
  const kept = createKeptCredentials({ home, now: () => new Date('2026-01-02'), fetch });
  await expect(kept.proofFor('https://gateway.example')).rejects.toThrow(
    /^Your sign-in cannot be renewed\. .* Set NODE_EXTRA_CA_CERTS .* Sign in again: gw login\.$/,
  );
  expect(directory.asked).toEqual([]);
});

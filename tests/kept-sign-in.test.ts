import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createKeptCredentials } from '../apps/gw/src/sign-in/kept-credential.ts';
import { loginWithKey, loginWithProvider } from '../apps/gw/src/sign-in/login.ts';
import { logout } from '../apps/gw/src/sign-in/logout.ts';
import { byBrowser, KEY, signInSuite } from './support/sign-in.ts';

// What `gw login` keeps: how it is renewed, and how `gw logout` deletes it.

const world = signInSuite();

it('renews a token before it expires, once, however many processes need it', async () => {
  await loginWithProvider(world.gateway, world.ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const soon = new Date(Date.now() + 60_000).toISOString();
  const before = world.kept().replace(/"expiresAt": "[^"]+"/, `"expiresAt": "${soon}"`);
  writeFileSync(join(world.home, '.gateway', 'credentials.json'), before);
  let renewals = 0;
  const counting: typeof fetch = (url, init) => {
    if (init?.method === 'POST') renewals += 1;
    return fetch(url, init);
  };
  const proofs = await Promise.all(
    [1, 2, 3].map(() => createKeptCredentials(world.ports({ fetch: counting })).proofFor(world.gateway)),
  );
  expect([renewals, new Set(proofs).size]).toEqual([1, 1]);
  expect(await world.verifier.verify(proofs[0] ?? '')).toMatchObject({ subject: 'demo-person' });
  expect(world.kept()).not.toContain(soon);
});

it('continues with a valid token that cannot be renewed, and reports when it has expired', async () => {
  await loginWithProvider(world.gateway, world.ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const before = await createKeptCredentials(world.ports()).proofFor(world.gateway);
  const broken: typeof fetch = async () => {
    throw new TypeError('fetch failed');
  };
  const soon = (): Date => new Date(Date.now() + 3600_000 - 60_000);
  expect(await createKeptCredentials(world.ports({ now: soon, fetch: broken })).proofFor(world.gateway)).toBe(before);
  const late = (): Date => new Date(Date.now() + 7200_000);
  const expired = createKeptCredentials(world.ports({ now: late, fetch: broken })).proofFor(world.gateway);
  await expect(expired).rejects.toThrow(/Your sign-in cannot be renewed\..*Sign in again: gw login\./);
});

it('signs out: deletes the tokens, and revokes them', async () => {
  await loginWithProvider(world.gateway, world.ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const before = world.kept();
  expect(await logout(world.gateway, world.home, fetch)).toEqual({ outcome: 'revoked' });
  expect(JSON.parse(world.kept())).toEqual({ version: 1, gateways: {} });
  expect(await logout(world.gateway, world.home, fetch)).toEqual({ outcome: 'nobody' });
  // A copy of the file cannot be used to renew.
  writeFileSync(join(world.home, '.gateway', 'credentials.json'), before);
  const late = (): Date => new Date(Date.now() + 7200_000);
  await expect(createKeptCredentials(world.ports({ now: late })).proofFor(world.gateway)).rejects.toThrow(
    /invalid_grant/,
  );
});

it('deletes the tokens where the identity provider does not answer, and says that they still serve', async () => {
  await loginWithProvider(world.gateway, world.ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const broken: typeof fetch = async () => {
    throw new TypeError('fetch failed');
  };
  expect(await logout(world.gateway, world.home, broken)).toMatchObject({
    outcome: 'deleted',
    reason: expect.stringContaining(world.issuer) as string,
  });
  expect(await createKeptCredentials(world.ports()).proofFor(world.gateway)).toBeNull();
});

it('keeps an account key beside those of other gateways', async () => {
  world.accepts = async (token) => token === KEY;
  await loginWithKey(world.gateway, KEY, world.ports());
  const text = world
    .kept()
    .replace('"gateways": {', '"gateways": {"https://other.example": {"kind": "key", "key": "k"},');
  writeFileSync(join(world.home, '.gateway', 'credentials.json'), text, { mode: 0o644 });
  expect(await createKeptCredentials(world.ports()).proofFor(world.gateway)).toBe(KEY);
  expect(await logout(world.gateway, world.home, fetch)).toEqual({ outcome: 'key' });
  expect(await createKeptCredentials(world.ports()).proofFor('https://other.example')).toBe('k');
  expect(statSync(join(world.home, '.gateway', 'credentials.json')).mode & 0o777).toBe(0o600);
});

it('names a damaged file, and does not change it', async () => {
  await loginWithKey(world.gateway, KEY, world.ports({ fetch })).catch(() => undefined);
  world.accepts = async () => true;
  await loginWithKey(world.gateway, KEY, world.ports());
  writeFileSync(join(world.home, '.gateway', 'credentials.json'), '{"version":1,');
  await expect(createKeptCredentials(world.ports()).proofFor(world.gateway)).rejects.toThrow(
    /credentials\.json is damaged\. Remove it/,
  );
  expect(world.kept()).toBe('{"version":1,');
});

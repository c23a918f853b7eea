import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { type Credential, credentialsFile } from './credentials-file.ts';
import { createKeptCredentials, type KeptCredentials } from './kept-credential.ts';

const GATEWAY = 'https://gateway.example';
const OTHER = 'https://other.example';
const NOW = new Date('2026-06-01T12:00:00Z');
const key = (text: string): Credential => ({ kind: 'key', key: text });
const token = (change: Partial<Extract<Credential, { kind: 'token' }>> = {}): Credential => ({
  kind: 'token',
  issuer: 'http://provider.invalid',
  clientId: 'gw',
  sends: 'idToken',
  idToken: 'the-id-token',
  accessToken: 'the-access-token',
  refreshToken: null,
  expiresAt: '2026-06-01T13:00:00.000Z',
  ...change,
});
const noFetch = async (): Promise<never> => Promise.reject(new Error('No connection is expected.'));

function world() {
  const home = temporaryFolder();
  const path = join(home, '.gateway', 'credentials.json');
  const file = credentialsFile(home);
  const put = (text: string): void => {
    mkdirSync(join(home, '.gateway'), { recursive: true });
    writeFileSync(path, text);
  };
  const proof = (now = NOW): KeptCredentials => createKeptCredentials({ home, now: () => now, fetch: noFetch });
  return { home, path, file, put, proof };
}

describe('the file of credentials', () => {
  it('is read by its owner alone, also where it lost its mode', async () => {
    const { file, path } = world();
    await file.update(GATEWAY, async () => key('a'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o644);
    expect(await file.read(GATEWAY)).toEqual(key('a'));
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('keeps the credentials of other gateways, and removes one alone', async () => {
    const { file } = world();
    await file.update(GATEWAY, async () => key('a'));
    await file.update(OTHER, async () => token());
    await file.update(GATEWAY, async (kept) => (kept?.kind === 'key' ? key(`${kept.key}b`) : null));
    expect([await file.read(GATEWAY), await file.read(OTHER)]).toEqual([key('ab'), token()]);
    expect(await file.update(GATEWAY, async () => null)).toBeNull();
    expect([await file.read(GATEWAY), await file.read(OTHER)]).toEqual([null, token()]);
  });

  it('is not made where there is nothing to remove', async () => {
    const { file, path } = world();
    expect(await file.update(GATEWAY, async () => null)).toBeNull();
    expect(existsSync(path)).toBe(false);
  });

  it('loses no change where several are made at once', async () => {
    const { file } = world();
    const gateways = Array.from({ length: 12 }, (_, at) => `https://gateway-${at}.example`);
    await Promise.all(gateways.map((gateway) => file.update(gateway, async () => key(gateway))));
    expect(await Promise.all(gateways.map((gateway) => file.read(gateway)))).toEqual(gateways.map(key));
  });

  it('is left alone where a change fails, and can be changed afterwards', async () => {
    const { file, path } = world();
    await file.update(GATEWAY, async () => key('a'));
    const before = readFileSync(path, 'utf8');
    await expect(file.update(GATEWAY, async () => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(await file.update(GATEWAY, async () => key('b'))).toEqual(key('b'));
  });

  it.each([
    ['no JSON', '{'],
    ['another version', '{"version":2,"gateways":{}}'],
    ['a credential of another kind', `{"version":1,"gateways":{"${GATEWAY}":{"kind":"password","key":"a"}}}`],
    ['an empty key', `{"version":1,"gateways":{"${GATEWAY}":{"kind":"key","key":""}}}`],
    ['a list', '[]'],
  ])('with %s is damaged: the message says how to go on, without its content', async (_, text) => {
    const { file, path, put } = world();
    put(text);
    await expect(file.read(GATEWAY)).rejects.toThrow(`${path} is damaged. Remove it, then sign in again: gw login.`);
    await expect(file.update(GATEWAY, async () => key('b'))).rejects.toThrow('is damaged');
    expect(readFileSync(path, 'utf8')).toBe(text);
  });
});

describe('what proves the identity to a gateway', () => {
  it('is nothing where nobody signed in, and never that of another gateway', async () => {
    const { file, proof } = world();
    await file.update(OTHER, async () => key('a'));
    expect(await proof().proofFor(GATEWAY)).toBeNull();
  });

  it.each([
    [key('a-key'), 'a-key'],
    [token(), 'the-id-token'],
    [token({ sends: 'accessToken' }), 'the-access-token'],
  ])('is the key, or the token that the gateway accepts', async (credential, expected) => {
    const { file, proof } = world();
    await file.update(GATEWAY, async () => credential);
    expect(await proof().proofFor(GATEWAY)).toBe(expected);
  });

  it('is a token until it expires where it cannot be renewed, and then none', async () => {
    const { file, proof } = world();
    await file.update(GATEWAY, async () => token({ refreshToken: 'r' }));
    expect(await proof(new Date('2026-06-01T12:59:30Z')).proofFor(GATEWAY)).toBe('the-id-token');
    await expect(proof(new Date('2026-06-01T13:00:01Z')).proofFor(GATEWAY)).rejects.toThrow(
      /^Your sign-in cannot be renewed\. The identity provider http:\/\/provider\.invalid .*Sign in again: gw login\.$/,
    );
    expect(await file.read(GATEWAY)).toEqual(token({ refreshToken: 'r' }));
  });

  it('needs another sign-in where an expired token has no refresh token', async () => {
    const { file, proof } = world();
    await file.update(GATEWAY, async () => token());
    await expect(proof(new Date('2026-06-02T00:00:00Z')).proofFor(GATEWAY)).rejects.toThrow(
      'Your sign-in has expired. Sign in again: gw login.',
    );
  });

  it('is what another process renewed meanwhile, and none after another process signed out', async () => {
    const { file, home } = world();
    await file.update(GATEWAY, async () => token());
    let now = NOW;
    const kept = createKeptCredentials({ home, now: () => now, fetch: noFetch });
    expect(await kept.proofFor(GATEWAY)).toBe('the-id-token');
    await file.update(GATEWAY, async () => token({ idToken: 'renewed', expiresAt: '2026-06-01T14:00:00.000Z' }));
    now = new Date('2026-06-01T13:30:00Z');
    expect(await kept.proofFor(GATEWAY)).toBe('renewed');
    await file.update(GATEWAY, async () => null);
    now = new Date('2026-06-01T14:30:00Z');
    expect(await kept.proofFor(GATEWAY)).toBeNull();
  });
});

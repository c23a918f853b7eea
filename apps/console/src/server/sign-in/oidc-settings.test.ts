import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAuthority } from '@gateway/access/development-authority';
import { Reading } from '@gateway/configuration';
import { afterAll, describe, expect, it } from 'vitest';
import { readOidc } from './oidc-settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'directory-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const WHOLE = {
  OIDC_ISSUER: 'https://directory.example/realm',
  OIDC_CLIENT_ID: 'console',
  OIDC_REDIRECT_URI: 'https://console.example/auth/callback',
};
function read(environment: Record<string, string>) {
  const reading = new Reading(environment);
  return { ...readOidc(reading), faults: reading.faults };
}

describe('the identity provider', () => {
  it('is never asked without its certificate being verified', () => {
    expect(read({ ...WHOLE, NODE_TLS_REJECT_UNAUTHORIZED: '0' }).faults).toEqual([
      expect.stringMatching(/^NODE_TLS_REJECT_UNAUTHORIZED: must not be 0\. .*OIDC_TLS_CA_FILE\.$/),
    ]);
  });
  it('is configured with three variables', () => {
    expect(read(WHOLE)).toEqual({
      faults: [],
      identityProvider: {
        issuer: 'https://directory.example/realm',
        clientId: 'console',
        clientSecret: null,
        audience: 'console',
        subjectClaim: 'sub',
        redirectUri: 'https://console.example/auth/callback',
        ca: null,
        proxy: null,
      },
    });
  });
  it('passes the others on unchanged', () => {
    const file = join(folder, 'ca.pem');
    writeFileSync(file, createAuthority('authority').certificate);
    const others = { OIDC_CLIENT_SECRET: 's', OIDC_AUDIENCE: 'a', OIDC_SUBJECT_CLAIM: 'c', OIDC_TLS_CA_FILE: file };
    expect(read({ ...WHOLE, ...others }).identityProvider).toMatchObject({
      clientSecret: 's',
      audience: 'a',
      subjectClaim: 'c',
      ca: expect.stringContaining('BEGIN CERTIFICATE'),
    });
  });
  it('is reached by the proxy that is named, in either spelling', () => {
    for (const [url, except] of [
      ['HTTPS_PROXY', 'NO_PROXY'],
      ['https_proxy', 'no_proxy'],
    ] as const) {
      expect(
        read({ ...WHOLE, [url]: 'http://proxy.example:3128', [except]: '.inside.example' }).identityProvider,
      ).toMatchObject({
        proxy: { url: 'http://proxy.example:3128/', except: '.inside.example' },
      });
    }
  });
  it.each(['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_REDIRECT_URI'])(
    'is missing without %s, which is no fault',
    (name) => {
      expect(read({ ...WHOLE, [name]: '' })).toEqual({ identityProvider: null, missing: [name], faults: [] });
    },
  );
  it('is missing altogether where nothing is set', () => {
    expect(read({})).toMatchObject({
      identityProvider: null,
      missing: ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_REDIRECT_URI'],
    });
  });
  it.each([
    ['OIDC_ISSUER', 'http://directory.example'],
    ['OIDC_ISSUER', 'directory.example'],
    ['OIDC_ISSUER', 'https://directory.example?a=1'],
    ['OIDC_ISSUER', 'https://directory.example#a'],
    ['OIDC_ISSUER', 'https://user:pass@directory.example'],
    ['OIDC_REDIRECT_URI', 'console.example/auth/callback'],
    ['OIDC_REDIRECT_URI', 'https://console.example/'],
    ['OIDC_REDIRECT_URI', 'https://console.example/auth/callback/'],
    ['OIDC_REDIRECT_URI', 'https://console.example/auth/callback?x=1'],
    ['OIDC_REDIRECT_URI', 'https://console.example/auth/callback#x'],
    ['OIDC_REDIRECT_URI', 'ftp://console.example/auth/callback'],
    ['OIDC_REDIRECT_URI', 'https://a:b@console.example/auth/callback'],
    ['OIDC_TLS_CA_FILE', '/nowhere/ca.pem'],
    ['OIDC_TLS_CA_FILE', import.meta.filename],
    ['HTTPS_PROXY', 'proxy.example:3128'],
    ['HTTPS_PROXY', 'http://user:50%@proxy.example:3128'],
  ])('is refused with %s=%s', (name, value) => {
    const { faults } = read({ ...WHOLE, [name]: value });
    expect(faults).toEqual([expect.stringMatching(new RegExp(`^${name}: .*\\.$`))]);
  });
  it('is refused without its other half just the same', () => {
    expect(read({ OIDC_ISSUER: 'http://directory.example' }).faults).toHaveLength(1);
  });
});

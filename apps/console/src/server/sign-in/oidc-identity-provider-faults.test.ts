import { describe, expect, it } from 'vitest';
import type { Step } from '../../testing/browser.ts';
import { grant } from '../../testing/console.ts';
import { startOnPremise } from '../../testing/on-premise.ts';

describe('an identity provider that does not answer', () => {
  it('is 503 at the login and at the return, and sessions continue', async () => {
    const quiet = await startOnPremise();
    try {
      const { path, cookie } = await (async () => {
        const browser = quiet.newBrowser();
        const last = (await browser.signIn(quiet.console.base, 'somebody', '/auth/callback')).at(-1) as Step;
        const address = new URL(String(last.location), last.url);
        return { path: address.pathname + address.search, cookie: browser.cookies(quiet.console.base) };
      })();
      await grant(quiet.console.database, 'somebody', 'administrateur-d-instance');
      const browser = quiet.newBrowser();
      await browser.signIn(quiet.console.base, 'somebody');
      await quiet.directory.stop();
      expect((await quiet.console.nobody.get(path, { cookie })).status).toBe(503);
      const api = quiet.console.withHeaders({ cookie: browser.cookies(quiet.console.base) });
      expect((await api.get('/api/providers')).status).toBe(200);
      await quiet.directory.start();
      expect((await quiet.newBrowser().signIn(quiet.console.base, 'somebody')).at(-1)?.url.pathname).toBe('/');
    } finally {
      await quiet.stop();
    }
  });
  // console-4
  it('is 503 and not 401 when it was never reached', async () => {
    const silent = await startOnPremise({ OIDC_ISSUER: 'https://127.0.0.1:9' });
    try {
      const reply = await silent.console.nobody.get('/auth/login');
      expect([reply.status, reply.headers.getSetCookie()]).toEqual([503, []]);
      // A user can always sign out; the identity provider's own end-session endpoint is not known.
      const out = await silent.console.nobody.get('/auth/logout', { accept: 'text/html' });
      expect([out.status, out.text.includes('Sign out of the identity provider')]).toEqual([200, false]);
    } finally {
      await silent.stop();
    }
  });
  it('is 503 where its certificate is by nobody this machine trusts', async () => {
    const stranger = await startOnPremise({ OIDC_TLS_CA_FILE: '' });
    try {
      expect((await stranger.console.nobody.get('/auth/login')).status).toBe(503);
    } finally {
      await stranger.stop();
    }
  });
});

describe('an identity provider that is not configured', () => {
  it.each([
    [
      ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_REDIRECT_URI'],
      { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_REDIRECT_URI: '' },
    ],
    [['OIDC_CLIENT_ID'], { OIDC_CLIENT_ID: '' }],
    [['OIDC_ISSUER'], { OIDC_ISSUER: '' }],
    [['OIDC_REDIRECT_URI'], { OIDC_REDIRECT_URI: '' }],
  ])('lets the console start, names what is missing (%j) and refuses all callers', async (names, environment) => {
    const closed = await startOnPremise(environment);
    try {
      expect(closed.console.said.join('\n')).toContain(`${names.join(', ')} not set`);
      for (const path of ['/', '/api/providers', '/auth/login', '/auth/callback?code=x&state=y']) {
        const reply = await closed.console.nobody.get(path);
        expect([reply.status, reply.text]).toEqual([401, expect.not.stringMatching(/OIDC_|configured/)]);
      }
    } finally {
      await closed.stop();
    }
  });
});

describe('the error text of the identity provider', () => {
  it('must be meant for this console', async () => {
    const other = await startOnPremise({ OIDC_AUDIENCE: 'another-service' });
    try {
      const last = (await other.newBrowser().signIn(other.console.base, 'somebody')).at(-1);
      expect([last?.url.pathname, last?.status]).toEqual(['/auth/callback', 400]);
      expect(other.console.faults.join('\n')).toContain('token-audience');
    } finally {
      await other.stop();
    }
  });
  it('may name the subject in a claim of its own, to a confidential client', async () => {
    const claim = await startOnPremise({
      OIDC_SUBJECT_CLAIM: 'employee',
      OIDC_CLIENT_ID: 'confidential',
      OIDC_CLIENT_SECRET: 'a client secret',
    });
    try {
      await claim.newBrowser().signIn(claim.console.base, 'somebody');
      const rows = await claim.console.database.sql`select subject from console_sessions`;
      expect([...rows]).toEqual([{ subject: 'e-somebody' }]);
    } finally {
      await claim.stop();
    }
  });
  it('is refused where the claim names nobody', async () => {
    const claim = await startOnPremise({ OIDC_SUBJECT_CLAIM: 'department' });
    try {
      expect((await claim.newBrowser().signIn(claim.console.base, 'somebody')).at(-1)?.status).toBe(400);
    } finally {
      await claim.stop();
    }
  });
});

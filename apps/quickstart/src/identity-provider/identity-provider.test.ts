import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { connect, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createIdentityProvider as createVerifier } from '@gateway/access';
import { freePort } from '@gateway/database/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type EstablishedIdentityProvider, establishIdentityProvider } from '../on-premise.ts';
import { createIdentityProvider, listenForBoth } from './provider.ts';
import { issuerOf } from './settings.ts';

const PERSON = { user: 'demo', password: 'right', subject: 'demo-person', name: 'Demo', email: 'demo@x.example' };
const REDIRECT = 'http://localhost:6002/auth/callback';
const ours = getCACertificates('default');

const AUDITOR = { user: 'auditor', password: 'too', subject: 'demo-auditor', name: 'Auditor', email: 'a@x.example' };

let folder: string;
let provider: EstablishedIdentityProvider;
let server: Server;
let issuer: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'directory-test-'));
  const given = { port: await freePort(), clientId: 'gateway', redirectUris: [REDIRECT], people: [PERSON, AUDITOR] };
  provider = establishIdentityProvider(folder, given);
  server = listenForBoth(createIdentityProvider(provider.settings), provider.settings).listen(given.port, '127.0.0.1');
  await once(server, 'listening');
  issuer = issuerOf(provider.settings);
  setDefaultCACertificates([...ours, readFileSync(provider.authorityFile, 'utf8')]);
});

afterAll(() => {
  setDefaultCACertificates(ours);
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A browser of a few lines: one host, its cookies, redirects until another host or a page. */
function browser() {
  const jar = new Map<string, string>();
  return async (address: string, form?: Record<string, string>) => {
    let url = new URL(address);
    let body = form && new URLSearchParams(form);
    for (;;) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, {
        method: body ? 'POST' : 'GET',
        body: body ?? null,
        redirect: 'manual',
        headers: { cookie },
      });
      body = undefined;
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return { url, status: response.status, text: await response.text() };
      url = new URL(location, url);
      if (url.href.startsWith(REDIRECT)) return { url, status: response.status, text: '' };
    }
  };
}

const verifier = randomBytes(32).toString('base64url');

function authorization(base: string): string {
  const query = new URLSearchParams({
    client_id: 'gateway',
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: REDIRECT,
    state: 'of-the-test',
    nonce: 'nonce-of-the-test',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  return `${base}/auth?${query.toString()}`;
}

async function identityToken(base: string, form = { user: 'demo', password: 'right' }): Promise<string> {
  const visit = browser();
  const page = await visit(authorization(base));
  const { url } = await visit(page.url.href, form);
  expect(url.searchParams.get('state')).toBe('of-the-test');
  const response = await fetch(`${base}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: REDIRECT,
      client_id: 'gateway',
      code_verifier: verifier,
    }),
  });
  return String(((await response.json()) as { id_token?: string }).id_token);
}

describe('signing in', () => {
  it('over https, gives a token that the gateway accepts', async () => {
    const token = await identityToken(issuer);
    const verifierOfTokens = createVerifier({ issuer, audience: 'gateway', subjectClaim: 'sub' });
    expect(await verifierOfTokens.verify(token)).toMatchObject({ subject: 'demo-person' });
  });

  it('knows several people, each by a password of their own', async () => {
    const token = await identityToken(issuer, { user: 'auditor', password: 'too' });
    const verifierOfTokens = createVerifier({ issuer, audience: 'gateway', subjectClaim: 'sub' });
    expect(await verifierOfTokens.verify(token)).toMatchObject({ subject: 'demo-auditor' });
    const visit = browser();
    const page = await visit(authorization(issuer));
    expect((await visit(page.url.href, { user: 'auditor', password: 'right' })).status).toBe(401);
  });

  it('works over plain HTTP on the same port too, and the issuer stays the same', async () => {
    const token = await identityToken(issuer.replace('https:', 'http:'));
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ iss: issuer, sub: 'demo-person', aud: 'gateway', nonce: 'nonce-of-the-test' });
  });

  it('shows a plain form', async () => {
    const { status, text } = await browser()(authorization(issuer));
    expect(status).toBe(200);
    expect(text).toMatch(/<form method="post" action="\/sign-in\/[\w-]+">/);
    expect(text).toMatch(/<input name="user"[^>]*>[^]*<input name="password" type="password"/);
  });

  it.each([
    { user: 'demo', password: 'wrong' },
    { user: 'other', password: 'right' },
    { user: '', password: '' },
  ])('is refused with $user and $password, and can be tried again', async (form) => {
    const visit = browser();
    const page = await visit(authorization(issuer));
    const refused = await visit(page.url.href, form);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('User or password is wrong.');
    expect(refused.text).toContain(`<input name="user" value="${form.user}"`);
    const { url } = await visit(page.url.href, { user: 'demo', password: 'right' });
    expect(url.searchParams.has('code')).toBe(true);
  });

  it('cannot begin at the form', async () => {
    const { status, text } = await browser()(`${issuer}/sign-in/made-up`);
    expect(status).toBe(400);
    expect(text).toContain('This sign-in has expired.');
    expect(text).toContain('Open the application again and sign in there.');
  });
});

it('refuses an address of return that is not its client’s', async () => {
  const { status } = await browser()(authorization(issuer).replace('localhost%3A6002', 'evil.example'));
  expect(status).toBe(400);
});

it('shows itself under its issuer', async () => {
  const response = await fetch(`${issuer}/.well-known/openid-configuration`);
  expect(await response.json()).toMatchObject({ issuer, authorization_endpoint: `${issuer}/auth` });
});

describe('the files created at the first start', () => {
  it('stays: certificate, signing key and authority', () => {
    const again = establishIdentityProvider(folder, { ...provider.settings });
    expect(again).toEqual(provider);
  });

  it('takes a new password or port', () => {
    const other = mkdtempSync(join(folder, 'other-'));
    const given = { port: 1, clientId: 'gateway', redirectUris: [REDIRECT], people: [PERSON] };
    const first = establishIdentityProvider(other, given);
    const second = establishIdentityProvider(other, { ...given, port: 2, people: [{ ...PERSON, password: 'new' }] });
    expect(second.settings).toEqual({ ...first.settings, port: 2, people: [{ ...PERSON, password: 'new' }] });
  });

  it('is readable by its owner alone, except the authority', () => {
    expect(statSync(provider.settingsFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(provider.authorityFile, 'utf8')).not.toContain('PRIVATE');
  });
});

it('serves on after a connection that breaks off', async () => {
  const broken = connect(provider.settings.port, '127.0.0.1');
  await once(broken, 'connect');
  broken.resetAndDestroy();
  expect((await fetch(issuer, { redirect: 'manual' })).status).toBe(404);
});

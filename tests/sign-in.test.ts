import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createIdentityProvider as createVerifier, type TokenVerifier } from '@gateway/access';
import { freePort } from '@gateway/database/embedded';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { DeviceCode } from '../apps/gw/src/sign-in/device-flow.ts';
import { createKeptCredentials } from '../apps/gw/src/sign-in/kept-credential.ts';
import { type LoginPorts, loginWithKey, loginWithProvider } from '../apps/gw/src/sign-in/login.ts';
import { logout } from '../apps/gw/src/sign-in/logout.ts';
import { establishIdentityProvider } from '../apps/quickstart/src/identity-provider/establish.ts';
import { listenForBoth } from '../apps/quickstart/src/identity-provider/listen.ts';
import { createIdentityProvider } from '../apps/quickstart/src/identity-provider/provider.ts';
import { issuerOf } from '../apps/quickstart/src/identity-provider/settings.ts';

// `gw login` and `gw logout` against the demo identity provider of `npm start`, and a gateway that verifies as the real one does.

const PERSON = { user: 'demo', password: 'right', subject: 'demo-person', name: 'Demo', email: 'demo@x.example' };
const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;
const ours = getCACertificates('default');

let folder: string;
let issuer: string;
let verifier: TokenVerifier;
let directory: Server;
/** What the gateway says about itself, and the tokens it was shown. */
let discovery: object | null;
let accepts: (token: string) => Promise<boolean>;
let gatewayServer: ReturnType<typeof createServer>;
let gateway: string;
let home: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sign-in-test-'));
  const given = {
    port: await freePort(),
    clientId: 'gateway',
    redirectUris: ['http://127.0.0.1/callback'],
    people: [PERSON],
  };
  const established = establishIdentityProvider(folder, given);
  directory = listenForBoth(createIdentityProvider(established.settings), established.settings).listen(
    given.port,
    '127.0.0.1',
  );
  await once(directory, 'listening');
  issuer = issuerOf(established.settings);
  setDefaultCACertificates([...ours, readFileSync(established.authorityFile, 'utf8')]);
  verifier = createVerifier({ issuer, audience: 'gateway', subjectClaim: 'sub' });

  gatewayServer = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.url === '/ide/identity-discovery')
      return answer(discovery === null ? 404 : 200, discovery ?? { error: 'not_found' });
    const proof = request.headers.authorization?.replace('Bearer ', '') ?? '';
    accepts(proof).then(
      (accepted) =>
        accepted
          ? answer(404, { error: 'Unknown endpoint: _sign-in', available: ['demo'] })
          : answer(401, { error: 'Unauthorized.' }),
      () => answer(503, { error: 'no' }),
    );
  });
  gatewayServer.listen(0, '127.0.0.1');
  await once(gatewayServer, 'listening');
  gateway = `http://127.0.0.1:${(gatewayServer.address() as AddressInfo).port}`;
});

afterAll(() => {
  setDefaultCACertificates(ours);
  directory.close();
  gatewayServer.closeAllConnections();
  gatewayServer.close();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  home = mkdtempSync(join(folder, 'home-'));
  discovery = { issuer, clientId: 'gateway' };
  accepts = async (token) => 'subject' in (await verifier.verify(token));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const ports = (more: Partial<LoginPorts> = {}): LoginPorts => ({
  home,
  now: () => new Date(),
  fetch,
  signal: new AbortController().signal,
  ...more,
});
const kept = (): string => readFileSync(join(home, '.gateway', 'credentials.json'), 'utf8');

/** A browser of a few lines: it follows redirects anywhere, keeps cookies, and fills in the sign-in form. */
function browser() {
  const jar = new Map<string, string>();
  const go = async (
    address: string,
    form?: Record<string, string>,
  ): Promise<{ url: URL; text: string; status: number }> => {
    let url = new URL(address);
    let body = form && new URLSearchParams(form);
    for (;;) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const method = body ? 'POST' : 'GET';
      const response = await fetch(url, { method, body: body ?? null, redirect: 'manual', headers: { cookie } });
      body = undefined;
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        jar.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) return { url, text: await response.text(), status: response.status };
      url = new URL(location, url);
    }
  };
  return go;
}

/** The hidden fields of a page's form. */
const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

const byBrowser = async (address: string): Promise<{ text: string; status: number }> => {
  const go = browser();
  const page = await go(address);
  return go(page.url.href, { user: 'demo', password: 'right' });
};

it('signs in with the browser, and keeps tokens that the gateway accepts', async () => {
  const shown: Promise<{ text: string; status: number }>[] = [];
  const show = (address: string): void => {
    shown.push(byBrowser(address));
  };
  const { endpoints, token } = await loginWithProvider(gateway, ports(), { flow: 'code', show });
  expect(await shown[0]).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') as string });
  expect(endpoints).toEqual(['demo']);
  expect(token).toMatchObject({
    issuer,
    clientId: 'gateway',
    sends: 'idToken',
    refreshToken: expect.any(String) as string,
  });
  expect(statSync(join(home, '.gateway', 'credentials.json')).mode & 0o777).toBe(0o600);
  const proof = await createKeptCredentials(ports()).proofFor(gateway);
  expect(await verifier.verify(proof ?? '')).toMatchObject({ subject: 'demo-person' });
  expect(await createKeptCredentials(ports()).proofFor('https://another.example')).toBeNull();
});

it('takes nothing for the return of the browser but the request with its own state', async () => {
  const abort = new AbortController();
  const answers: number[] = [];
  const show = (address: string): void => {
    const callback = new URL(address).searchParams.get('redirect_uri') ?? '';
    const forged = ['?code=x&state=forged', '?code=x', ''].map(async (query) => {
      answers.push((await fetch(callback + query)).status);
    });
    Promise.all(forged).then(
      () => abort.abort(new Error('interrupted')),
      () => abort.abort(new Error('failed')),
    );
  };
  const signedIn = loginWithProvider(gateway, ports({ signal: abort.signal }), { flow: 'code', show });
  await expect(signedIn).rejects.toThrow('interrupted');
  expect(answers).toEqual([404, 404, 404]);
});

it('shows the identity provider’s error', async () => {
  const show = (address: string): void => {
    const { searchParams } = new URL(address);
    const query = `?error=access_denied&error_description=Not%20today&state=${searchParams.get('state')}&iss=${encodeURIComponent(issuer)}`;
    void fetch(`${searchParams.get('redirect_uri')}${query}`).catch(() => undefined);
  };
  const signedIn = loginWithProvider(gateway, ports(), { flow: 'code', show });
  await expect(signedIn).rejects.toThrow(/refused: access_denied \(Not today\)\./);
});

it('signs in with a code that is entered on another machine', async () => {
  const entered: Promise<string>[] = [];
  const show = ({ address, code, wholeAddress }: DeviceCode): void => {
    const enter = async (): Promise<string> => {
      expect(wholeAddress).toContain(code);
      const go = browser();
      const page = await go(address);
      const confirm = await go(address, { ...hidden(page.text), user_code: code });
      expect(confirm.text).toContain(`<strong>${code}</strong>`);
      const login = await go(address, { ...hidden(confirm.text), user_code: code, confirm: 'yes' });
      return (await go(login.url.href, { user: 'demo', password: 'right' })).text;
    };
    entered.push(enter());
  };
  const { token } = await loginWithProvider(gateway, ports(), { flow: 'device', show });
  expect(await entered[0]).toContain('The other device is signed in.');
  expect(token).toMatchObject({ sends: 'idToken' });
});

it('keeps the access token where the gateway takes that one', async () => {
  accepts = async (token) => !token.includes('.'); // the demo identity provider's access tokens have no parts
  const { token } = await loginWithProvider(gateway, ports(), {
    flow: 'code',
    show: (address) => void byBrowser(address),
  });
  expect(token).toMatchObject({ sends: 'accessToken' });
});

it('keeps nothing that the gateway does not accept', async () => {
  accepts = async () => false;
  const signedIn = loginWithProvider(gateway, ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  await expect(signedIn).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/does not accept you \(401\): Unauthorized\./) as string,
  });
  await expect(loginWithKey(gateway, KEY, ports())).rejects.toMatchObject({ exitCode: 4 });
  expect(kept).toThrow(/ENOENT/);
});

it('sends people with a key to --key where there is no identity provider', async () => {
  discovery = null;
  const signedIn = loginWithProvider(gateway, ports(), { flow: 'code', show: () => undefined });
  await expect(signedIn).rejects.toThrow(/has no identity provider\. Sign in with your account key: gw login --key\./);
});

it('renews a token before it expires, once, however many processes need it', async () => {
  await loginWithProvider(gateway, ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const soon = new Date(Date.now() + 60_000).toISOString();
  const before = kept().replace(/"expiresAt": "[^"]+"/, `"expiresAt": "${soon}"`);
  writeFileSync(join(home, '.gateway', 'credentials.json'), before);
  let renewals = 0;
  const counting: typeof fetch = (url, init) => {
    if (init?.method === 'POST') renewals += 1;
    return fetch(url, init);
  };
  const proofs = await Promise.all(
    [1, 2, 3].map(() => createKeptCredentials(ports({ fetch: counting })).proofFor(gateway)),
  );
  expect([renewals, new Set(proofs).size]).toEqual([1, 1]);
  expect(await verifier.verify(proofs[0] ?? '')).toMatchObject({ subject: 'demo-person' });
  expect(kept()).not.toContain(soon);
});

it('continues with a valid token that cannot be renewed, and reports when it has expired', async () => {
  await loginWithProvider(gateway, ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const before = await createKeptCredentials(ports()).proofFor(gateway);
  const broken: typeof fetch = async () => {
    throw new TypeError('fetch failed');
  };
  const soon = (): Date => new Date(Date.now() + 3600_000 - 60_000);
  expect(await createKeptCredentials(ports({ now: soon, fetch: broken })).proofFor(gateway)).toBe(before);
  const late = (): Date => new Date(Date.now() + 7200_000);
  const expired = createKeptCredentials(ports({ now: late, fetch: broken })).proofFor(gateway);
  await expect(expired).rejects.toThrow(/Your sign-in cannot be renewed\..*Sign in again: gw login\./);
});

it('signs out: deletes the tokens, and revokes them', async () => {
  await loginWithProvider(gateway, ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const before = kept();
  expect(await logout(gateway, home, fetch)).toEqual({ outcome: 'revoked' });
  expect(JSON.parse(kept())).toEqual({ version: 1, gateways: {} });
  expect(await logout(gateway, home, fetch)).toEqual({ outcome: 'nobody' });
  // A copy of the file cannot be used to renew.
  writeFileSync(join(home, '.gateway', 'credentials.json'), before);
  const late = (): Date => new Date(Date.now() + 7200_000);
  await expect(createKeptCredentials(ports({ now: late })).proofFor(gateway)).rejects.toThrow(/invalid_grant/);
});

it('deletes the tokens where the identity provider does not answer, and says that they still serve', async () => {
  await loginWithProvider(gateway, ports(), { flow: 'code', show: (address) => void byBrowser(address) });
  const broken: typeof fetch = async () => {
    throw new TypeError('fetch failed');
  };
  expect(await logout(gateway, home, broken)).toMatchObject({
    outcome: 'deleted',
    reason: expect.stringContaining(issuer) as string,
  });
  expect(await createKeptCredentials(ports()).proofFor(gateway)).toBeNull();
});

it('keeps an account key beside those of other gateways', async () => {
  accepts = async (token) => token === KEY;
  await loginWithKey(gateway, KEY, ports());
  const text = kept().replace('"gateways": {', '"gateways": {"https://other.example": {"kind": "key", "key": "k"},');
  writeFileSync(join(home, '.gateway', 'credentials.json'), text, { mode: 0o644 });
  expect(await createKeptCredentials(ports()).proofFor(gateway)).toBe(KEY);
  expect(await logout(gateway, home, fetch)).toEqual({ outcome: 'key' });
  expect(await createKeptCredentials(ports()).proofFor('https://other.example')).toBe('k');
  expect(statSync(join(home, '.gateway', 'credentials.json')).mode & 0o777).toBe(0o600);
});

it('names a damaged file, and does not change it', async () => {
  await loginWithKey(gateway, KEY, ports({ fetch })).catch(() => undefined);
  accepts = async () => true;
  await loginWithKey(gateway, KEY, ports());
  writeFileSync(join(home, '.gateway', 'credentials.json'), '{"version":1,');
  await expect(createKeptCredentials(ports()).proofFor(gateway)).rejects.toThrow(
    /credentials\.json is damaged\. Remove it/,
  );
  expect(kept()).toBe('{"version":1,');
});

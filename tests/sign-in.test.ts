import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DeviceCode } from '../apps/gw/src/sign-in/device-flow.ts';
import { createKeptCredentials } from '../apps/gw/src/sign-in/kept-credential.ts';
import { loginWithKey, loginWithProvider } from '../apps/gw/src/sign-in/login.ts';
import { browser, byBrowser, KEY, signInSuite } from './support/sign-in.ts';

// `gw login` against the demo identity provider of `npm start`, and a gateway that verifies as the real one does.

const world = signInSuite();

/** The hidden fields of a page's form. */
const hidden = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

it('signs in with the browser, and keeps tokens that the gateway accepts', async () => {
  const shown: Promise<{ text: string; status: number }>[] = [];
  const show = (address: string): void => {
    shown.push(byBrowser(address));
  };
  const { endpoints, token } = await loginWithProvider(world.gateway, world.ports(), { flow: 'code', show });
  expect(await shown[0]).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in.') as string });
  expect(endpoints).toEqual(['demo']);
  expect(token).toMatchObject({
    issuer: world.issuer,
    clientId: 'gateway',
    sends: 'idToken',
    refreshToken: expect.any(String) as string,
  });
  expect(statSync(join(world.home, '.gateway', 'credentials.json')).mode & 0o777).toBe(0o600);
  const proof = await createKeptCredentials(world.ports()).proofFor(world.gateway);
  expect(await world.verifier.verify(proof ?? '')).toMatchObject({ subject: 'demo-person' });
  expect(await createKeptCredentials(world.ports()).proofFor('https://another.example')).toBeNull();
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
  const signedIn = loginWithProvider(world.gateway, world.ports({ signal: abort.signal }), { flow: 'code', show });
  await expect(signedIn).rejects.toThrow('interrupted');
  expect(answers).toEqual([404, 404, 404]);
});

it('shows the identity provider’s error', async () => {
  const show = (address: string): void => {
    const { searchParams } = new URL(address);
    const query = `?error=access_denied&error_description=Not%20today&state=${searchParams.get('state')}&iss=${encodeURIComponent(world.issuer)}`;
    void fetch(`${searchParams.get('redirect_uri')}${query}`).catch(() => undefined);
  };
  const signedIn = loginWithProvider(world.gateway, world.ports(), { flow: 'code', show });
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
  const { token } = await loginWithProvider(world.gateway, world.ports(), { flow: 'device', show });
  expect(await entered[0]).toContain('The other device is signed in.');
  expect(token).toMatchObject({ sends: 'idToken' });
});

it('keeps the access token where the gateway takes that one', async () => {
  world.accepts = async (token) => !token.includes('.'); // the demo identity provider's access tokens have no parts
  const { token } = await loginWithProvider(world.gateway, world.ports(), {
    flow: 'code',
    show: (address) => void byBrowser(address),
  });
  expect(token).toMatchObject({ sends: 'accessToken' });
});

it('keeps nothing that the gateway does not accept', async () => {
  world.accepts = async () => false;
  const signedIn = loginWithProvider(world.gateway, world.ports(), {
    flow: 'code',
    show: (address) => void byBrowser(address),
  });
  await expect(signedIn).rejects.toMatchObject({
    exitCode: 4,
    message: expect.stringMatching(/does not accept you \(401\): Unauthorized\./) as string,
  });
  await expect(loginWithKey(world.gateway, KEY, world.ports())).rejects.toMatchObject({ exitCode: 4 });
  expect(world.kept).toThrow(/ENOENT/);
});

it('sends people with a key to --key where there is no identity provider', async () => {
  world.discovery = null;
  const signedIn = loginWithProvider(world.gateway, world.ports(), { flow: 'code', show: () => undefined });
  await expect(signedIn).rejects.toThrow(/has no identity provider\. Sign in with your account key: gw login --key\./);
});

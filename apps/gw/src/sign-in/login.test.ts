import { describe, expect, it } from 'vitest';
import { type Asked, fakeGateway, type GatewayAnswer } from '../testing/fake-gateway.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { credentialsFile } from './credentials-file.ts';
import { type FlowPorts, type LoginPorts, loginWithKey, loginWithProvider } from './login.ts';
import { directorySuite } from './testing/directory.ts';

const directory = directorySuite();
const ACCEPTED: GatewayAnswer = {
  status: 404,
  body: { error: 'Unknown endpoint: _sign-in', available: ['demo', 'large'] },
};
const REFUSED: GatewayAnswer = { status: 401, body: { error: 'Unauthorized.' } };
const EXPIRY = Math.floor(Date.now() / 1000) + 1800;

/** A gateway of this directory, and a home in which another credential for it is kept already. */
async function world(answer: (proof: string) => GatewayAnswer | 'cut' | 'silent') {
  const { url, seen } = await fakeGateway(({ url: path, authorization }: Asked) =>
    path === '/ide/identity-discovery'
      ? { status: 200, body: { issuer: directory.issuer, clientId: 'gw' } }
      : answer(authorization.replace('Bearer ', '')),
  );
  const home = temporaryFolder();
  const file = credentialsFile(home);
  await file.update(url, async () => ({ kind: 'key', key: 'kept-before' }));
  return {
    url,
    kept: () => file.read(url),
    proofs: () => seen.filter(({ url: path }) => path === '/_sign-in/').map(({ authorization }) => authorization),
    ports: { home, now: () => new Date(), fetch, signal: new AbortController().signal },
  };
}

/** The person enters the code at once. */
const byDevice = (change: Record<string, unknown> = {}): FlowPorts => {
  const { issuer } = directory;
  directory.on('/device', () => ({
    body: { device_code: 'd', user_code: 'u', verification_uri: issuer, expires_in: 600, interval: 0.001 },
  }));
  const tokens = { access_token: 'the-access-token', id_token: directory.token({ exp: EXPIRY }) };
  directory.on('/token', () => ({ body: { token_type: 'Bearer', ...tokens, ...change } }));
  return { flow: 'device', show: () => undefined };
};

describe('signing in at the identity provider of a gateway', () => {
  it('keeps the identity token where the gateway takes it, and does not send it the other one', async () => {
    const { url, ports, kept, proofs } = await world(() => ACCEPTED);
    const { endpoints, token } = await loginWithProvider(url, ports, byDevice());
    expect(endpoints).toEqual(['demo', 'large']);
    expect(await kept()).toEqual(token);
    expect(token).toEqual({
      kind: 'token',
      issuer: directory.issuer,
      clientId: 'gw',
      sends: 'idToken',
      idToken: expect.any(String) as string,
      accessToken: 'the-access-token',
      refreshToken: null,
      expiresAt: new Date(EXPIRY * 1000).toISOString(),
    });
    expect(proofs()).toEqual([`Bearer ${token?.idToken}`]);
  });

  it('keeps the access token, with its own expiry, where the gateway takes that one', async () => {
    const access = directory.token({ aud: 'the-gateway', exp: EXPIRY - 900 });
    const { url, ports, kept } = await world((proof) => (proof === access ? ACCEPTED : REFUSED));
    await loginWithProvider(url, ports, byDevice({ access_token: access, refresh_token: 'r' }));
    expect(await kept()).toMatchObject({
      sends: 'accessToken',
      refreshToken: 'r',
      expiresAt: new Date((EXPIRY - 900) * 1000).toISOString(),
    });
  });

  it('shows what the gateway says of the identity token where it takes neither, and leaves what was kept', async () => {
    const { url, ports, kept } = await world((proof) =>
      proof === 'the-access-token' ? REFUSED : { status: 403, body: { error: 'This person has no account.' } },
    );
    await expect(loginWithProvider(url, ports, byDevice())).rejects.toMatchObject({
      exitCode: 4,
      message: `You signed in at ${directory.issuer}, but ${url} does not accept you (403): This person has no account. Nothing was kept.`,
    });
    expect(await kept()).toEqual({ kind: 'key', key: 'kept-before' });
  });

  it('leaves what was kept where the gateway goes away after the sign-in', async () => {
    const { url, ports, kept } = await world(() => 'cut');
    await expect(loginWithProvider(url, ports, byDevice())).rejects.toThrow(`${url} does not answer: `);
    expect(await kept()).toEqual({ kind: 'key', key: 'kept-before' });
  });

  it('leaves what was kept where the provider sends no identity token', async () => {
    const { url, ports, kept, proofs } = await world(() => ACCEPTED);
    await expect(loginWithProvider(url, ports, byDevice({ id_token: undefined }))).rejects.toThrow(
      'The identity provider sent no identity token.',
    );
    expect([await kept(), proofs()]).toEqual([{ kind: 'key', key: 'kept-before' }, []]);
  });
});

describe('an interruption', () => {
  it.each<[string, (url: string, ports: LoginPorts) => Promise<unknown>]>([
    ['a key', (url, ports) => loginWithKey(url, 'the-key', ports)],
    ['a person', (url, ports) => loginWithProvider(url, ports, byDevice())],
  ])('while the gateway makes up its mind about %s ends the sign-in at once, and nothing is kept', async (_, login) => {
    const abort = new AbortController();
    const { url, ports, kept } = await world(() => {
      abort.abort(new Error('interrupted'));
      return 'silent';
    });
    await expect(login(url, { ...ports, signal: abort.signal })).rejects.toThrow('interrupted');
    expect(await kept()).toEqual({ kind: 'key', key: 'kept-before' });
  });
});

describe('signing in with a key', () => {
  it('replaces what was kept for this gateway', async () => {
    const { url, ports, kept } = await world(() => ({ ...ACCEPTED, body: { available: [] } }));
    expect(await loginWithKey(url, 'the-key', ports)).toEqual({ endpoints: [], token: null });
    expect(await kept()).toEqual({ kind: 'key', key: 'the-key' });
  });

  it.each<[string, GatewayAnswer, string]>([
    ['a page', { status: 200, body: '<html>Welcome</html>' }, 'answered 200: this address is not a gateway.'],
    [
      'a 404 without endpoints',
      { status: 404, body: { error: 'Not found' } },
      'answered 404: this address is not a gateway.',
    ],
    [
      'endpoints that are no list',
      { status: 404, body: { available: 'demo' } },
      'answered 404: this address is not a gateway.',
    ],
    ['a 401 without a sentence', { status: 401, body: '' }, 'answered 401: this address is not a gateway.'],
    ['null', { status: 404, body: 'null' }, 'answered 404: this address is not a gateway.'],
    ['a redirection', { status: 307, body: {} }, 'answered 307: this address is not a gateway.'],
    ['an outage', { status: 503, body: { error: 'Unavailable.' } }, 'answered 503: this address is not a gateway.'],
  ])('keeps nothing at an address that answers with %s', async (_, answer, says) => {
    const { url, ports, kept } = await world(() => answer);
    await expect(loginWithKey(url, 'the-key', ports)).rejects.toMatchObject({
      exitCode: 1,
      message: `${url} ${says} Check the address of --gateway.`,
    });
    expect(await kept()).toEqual({ kind: 'key', key: 'kept-before' });
  });
});

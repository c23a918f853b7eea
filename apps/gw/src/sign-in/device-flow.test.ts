import { describe, expect, it, vi } from 'vitest';
import { type DeviceCode, signInWithDevice } from './device-flow.ts';
import { connectProvider } from './identity-provider.ts';
import { directorySuite, type Reply } from './testing/directory.ts';

const directory = directorySuite();

/** The provider asks for polls a millisecond apart. */
const STARTED = {
  device_code: 'the-device-code',
  user_code: 'WDJB-MJHT',
  verification_uri: 'https://directory.example/device',
  verification_uri_complete: 'https://directory.example/device?user_code=WDJB-MJHT',
  expires_in: 600,
  interval: 0.001,
};
const PENDING: Reply = { status: 400, body: { error: 'authorization_pending' } };
const granted = (): Reply => ({
  body: { token_type: 'Bearer', access_token: 'the-access-token', id_token: directory.token() },
});

/** Answers the polls in this order, and all others with the last. */
function polls(...replies: readonly (() => Reply)[]): void {
  directory.on('/token', () => {
    const made = directory.asked.filter(({ path }) => path === '/token').length;
    return (replies[made - 1] ?? replies.at(-1) ?? granted)();
  });
}

async function signIn(
  started: Reply = { body: STARTED },
  signal = new AbortController().signal,
  shown: (code: DeviceCode) => void = () => undefined,
) {
  directory.on('/device', () => started);
  const provider = await connectProvider({ issuer: directory.issuer, clientId: 'gw' }, fetch);
  return signInWithDevice(provider, { show: shown, signal });
}

describe('the sign-in with a code on another machine', () => {
  it('shows the code once, and asks until the person has entered it', async () => {
    polls(
      () => PENDING,
      () => PENDING,
      granted,
    );
    const codes: DeviceCode[] = [];
    const answer = await signIn(undefined, undefined, (code) => codes.push(code));
    expect(answer.access_token).toBe('the-access-token');
    expect(codes).toEqual([
      {
        address: 'https://directory.example/device',
        code: 'WDJB-MJHT',
        wholeAddress: 'https://directory.example/device?user_code=WDJB-MJHT',
      },
    ]);
    const [first, ...others] = directory.asked;
    expect(first).toEqual({
      path: '/device',
      form: { client_id: 'gw', scope: 'openid profile email offline_access' },
    });
    expect(others).toHaveLength(3);
    expect(others[0]?.form).toEqual({
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'the-device-code',
      client_id: 'gw',
    });
  });

  it('shows the address without the code where the provider gives no whole address', async () => {
    polls(granted);
    const { verification_uri_complete: _, ...started } = STARTED;
    const codes: DeviceCode[] = [];
    await signIn({ body: started }, undefined, (code) => codes.push(code));
    expect(codes[0]?.wholeAddress).toBeNull();
  });

  it.each([
    ['access_denied', 'The person refused.', / refused: access_denied \(The person refused\.\)\.$/],
    ['expired_token', undefined, / refused: expired_token\.$/],
    ['invalid_grant', 'Unknown code.', / refused: invalid_grant \(Unknown code\.\)\.$/],
  ])('fails where the provider answers a poll with %s', async (error, description, says) => {
    polls(
      () => PENDING,
      () => ({ status: 400, body: { error, error_description: description } }),
    );
    await expect(signIn()).rejects.toThrow(says);
    expect(directory.asked).toHaveLength(3);
  });

  it('fails where the provider goes away while it waits, and names the provider', async () => {
    polls(
      () => PENDING,
      () => 'cut',
    );
    await expect(signIn()).rejects.toThrow(`The identity provider ${directory.issuer} cannot be used: `);
  });

  it('fails where the token is for another client', async () => {
    polls(() => ({
      body: { token_type: 'Bearer', access_token: 'a', id_token: directory.token({ aud: 'another' }) },
    }));
    await expect(signIn()).rejects.toThrow(/cannot be used: .*"aud"/);
  });

  it.each<[string, Reply, RegExp]>([
    [
      'allows this client no code',
      { status: 400, body: { error: 'unauthorized_client', error_description: 'No device flow.' } },
      / refused: unauthorized_client \(No device flow\.\)\.$/,
    ],
    ['answers with a page', { body: '<h1>Sign in</h1>' }, / cannot be used: [^<]+\.$/],
    ['forgets the code', { body: { ...STARTED, user_code: undefined } }, / cannot be used: .*user_code/],
    ['says no expiry', { body: { ...STARTED, expires_in: undefined } }, / cannot be used: .*expires_in/],
    ['closes the connection', 'cut', / cannot be used: /],
  ])('shows nothing where the provider %s', async (_, started, says) => {
    const codes: DeviceCode[] = [];
    await expect(signIn(started, undefined, (code) => codes.push(code))).rejects.toThrow(says);
    expect([codes, directory.asked.map(({ path }) => path)]).toEqual([[], ['/device']]);
  });

  it('says what to do where the provider offers no device flow', async () => {
    delete directory.metadata['device_authorization_endpoint'];
    await expect(signIn()).rejects.toThrow(
      `The identity provider ${directory.issuer} offers no device flow. Run gw login without --device.`,
    );
    expect(directory.asked).toEqual([]);
  });

  it('ends when the person interrupts it between two polls', async () => {
    polls(() => PENDING);
    const abort = new AbortController();
    const show = (): void => abort.abort(new Error('interrupted'));
    await expect(signIn({ body: { ...STARTED, interval: 3600 } }, abort.signal, show)).rejects.toThrow('interrupted');
    expect(directory.asked.map(({ path }) => path)).toEqual(['/device']);
  });

  it('ends with its own sentence when the code expires at a provider that never says so', async () => {
    polls(() => PENDING);
    const expiry = new AbortController();
    const show = (): void => {
      const original = AbortSignal.timeout.bind(AbortSignal);
      vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) =>
        milliseconds === 600_000 ? expiry.signal : original(milliseconds),
      );
      setImmediate(() => expiry.abort());
    };
    const signedIn = signIn({ body: { ...STARTED, interval: 3600 } }, undefined, show);
    await expect(signedIn.finally(() => vi.restoreAllMocks())).rejects.toThrow(
      'Nobody entered the code in time. Run gw login again.',
    );
  });
});

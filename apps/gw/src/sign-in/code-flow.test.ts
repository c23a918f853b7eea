import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { signInWithCode } from './code-flow.ts';
import { connectProvider, type TokenAnswer } from './identity-provider.ts';
import { directorySuite } from './testing/directory.ts';

const directory = directorySuite();

interface Page {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}
/** What a browser does with the address that it is given. */
type Browser = (
  query: URLSearchParams,
  callback: (change: Record<string, string>) => Promise<Page>,
) => Promise<unknown>;

/** Signs in with this browser; `seen` resolves when the browser has ended. */
async function signIn(browser: Browser, signal = new AbortController().signal) {
  const provider = await connectProvider({ issuer: directory.issuer, clientId: 'gw' }, fetch);
  let seen: Promise<unknown> = Promise.resolve();
  const queries: URLSearchParams[] = [];
  const answer = signInWithCode(provider, {
    signal,
    show(address) {
      const { searchParams } = new URL(address);
      queries.push(searchParams);
      seen = browser(searchParams, async (change) => {
        const returned = { code: 'the-code', state: searchParams.get('state') ?? '', ...change };
        return open(`${searchParams.get('redirect_uri')}?${new URLSearchParams(returned).toString()}`);
      });
    },
  });
  const [ended] = await Promise.allSettled([answer]);
  return { ended, seen: await seen, queries, query: queries[0] ?? new URLSearchParams() };
}

async function open(address: string, init: RequestInit = {}): Promise<Page> {
  const response = await fetch(address, init);
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** A browser in which the person signs in at once. */
const willing: Browser = (query, callback) => {
  directory.on('/token', () => ({ body: answerWith({ nonce: query.get('nonce') }) }));
  return callback({});
};
const answerWith = (claims: Record<string, unknown>, change: Record<string, unknown> = {}): object => ({
  token_type: 'Bearer',
  access_token: 'the-access-token',
  id_token: directory.token(claims),
  ...change,
});
const reasonOf = (ended: PromiseSettledResult<TokenAnswer>): string =>
  ended.status === 'rejected' ? (ended.reason as Error).message : 'signed in';

describe('the sign-in with a browser', () => {
  it('sends the browser to the provider, and exchanges the code with the verifier that only this process knows', async () => {
    const { ended, query } = await signIn(willing);
    expect(ended).toMatchObject({ status: 'fulfilled', value: { access_token: 'the-access-token' } });
    const [exchange] = directory.asked;
    const { code_verifier: verifier = '', ...form } = exchange?.form ?? {};
    expect(Object.fromEntries(query)).toEqual({
      client_id: 'gw',
      response_type: 'code',
      scope: 'openid profile email offline_access',
      redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/) as string,
      state: expect.any(String) as string,
      nonce: expect.any(String) as string,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(form).toEqual({
      grant_type: 'authorization_code',
      code: 'the-code',
      client_id: 'gw',
      redirect_uri: query.get('redirect_uri'),
    });
  });

  it('uses another state, nonce and verifier each time', async () => {
    const [first, second] = [await signIn(willing), await signIn(willing)];
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.query.get(name)).not.toBe(second.query.get(name));
    }
  });

  it('tells the person in the browser to go back, on a page that nothing may store, frame or run in', async () => {
    const { seen } = await signIn(willing);
    const { status, text, headers } = seen as Page;
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(text).toContain('You are signed in. You can close this page and go back to the terminal.');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
  });

  it('waits for the person after requests that are no return of the browser', async () => {
    const { ended, seen } = await signIn(async (query, callback) => {
      const address = query.get('redirect_uri') ?? '';
      const state = query.get('state') ?? '';
      const others = [
        await callback({ state: 'forged' }),
        await callback({ state: '' }),
        await open(new URL('/favicon.ico', address).href),
        await open(new URL(`/callback/?state=${state}`, address).href),
        await open(`${address}?state=${state}`, { method: 'POST' }),
      ];
      await willing(query, callback);
      return others.map(({ status, text }) => [status, text.includes('This page belongs to no sign-in.')]);
    });
    expect(seen).toEqual(Array.from({ length: 5 }, () => [404, true]));
    expect(ended.status).toBe('fulfilled');
  });

  it('closes its port when it has ended', async () => {
    const { query } = await signIn(willing);
    await expect(fetch(query.get('redirect_uri') ?? '')).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it('can be made twice at once, each with its own browser', async () => {
    directory.on('/token', ({ code }) => ({ body: answerWith({ nonce: code }) }));
    const browser: Browser = (query, callback) => callback({ code: query.get('nonce') ?? '' });
    const both = await Promise.all([signIn(browser), signIn(browser)]);
    expect(both.map(({ ended }) => ended.status)).toEqual(['fulfilled', 'fulfilled']);
    expect(new Set(both.map(({ query }) => query.get('redirect_uri'))).size).toBe(2);
  });
});

describe('the sign-in with a browser fails, and both the page and the terminal say so,', () => {
  it.each<[string, (nonce: string | null) => object, RegExp]>([
    ['is of another sign-in', () => answerWith({ nonce: 'another' }), /"nonce"/],
    ['has no nonce', () => answerWith({}), /"nonce"/],
    ['is for another client', (nonce) => answerWith({ nonce, aud: 'another' }), /"aud"/],
    ['is of another issuer', (nonce) => answerWith({ nonce, iss: 'https://another.example' }), /"iss"/],
    ['has expired', (nonce) => answerWith({ nonce, exp: 1 }), /"exp"/],
    ['is no token', () => answerWith({}, { id_token: 'opaque' }), /JWT/],
    ['is missing', () => answerWith({}, { id_token: undefined }), /"id_token"/],
  ])('where the identity token %s', async (_, answer, says) => {
    const { ended, seen } = await signIn((query, callback) => {
      directory.on('/token', () => ({ body: answer(query.get('nonce')) }));
      return callback({});
    });
    expect(reasonOf(ended)).toMatch(says);
    expect(reasonOf(ended)).toContain(`The identity provider ${directory.issuer} cannot be used: `);
    expect([(seen as Page).status, (seen as Page).text]).toEqual([
      400,
      expect.stringContaining('The sign-in failed. The terminal says why.'),
    ]);
  });

  it.each<[string, Parameters<typeof directory.on>[1], RegExp]>([
    [
      'refuses the code',
      () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'The code was used.' } }),
      / refused: invalid_grant \(The code was used\.\)\.$/,
    ],
    [
      'refuses without a reason',
      () => ({ status: 401, body: { error: 'invalid_client' } }),
      / refused: invalid_client\.$/,
    ],
    ['answers with a page', () => ({ status: 502, body: '<h1>Bad gateway</h1>' }), / cannot be used: [^<]+\.$/],
    ['closes the connection', () => 'cut', / cannot be used: [^<]+\.$/],
  ])('where the provider %s', async (_, answer, says) => {
    directory.on('/token', answer);
    const { ended, seen } = await signIn((_query, callback) => callback({}));
    expect(reasonOf(ended)).toMatch(says);
    expect((seen as Page).status).toBe(400);
  });

  it('where the browser comes back from another issuer', async () => {
    directory.metadata['authorization_response_iss_parameter_supported'] = true;
    const { ended, seen } = await signIn((_query, callback) => callback({ iss: 'https://another.example' }));
    expect(reasonOf(ended)).toMatch(/"iss"/);
    expect([(seen as Page).status, directory.asked]).toEqual([400, []]);
  });
});

describe('the sign-in with a browser ends', () => {
  it('when the person interrupts it, and closes its port', async () => {
    const abort = new AbortController();
    const { ended, query } = await signIn(async () => abort.abort(new Error('interrupted')), abort.signal);
    expect(reasonOf(ended)).toBe('interrupted');
    await expect(fetch(query.get('redirect_uri') ?? '')).rejects.toThrow('fetch failed');
  });

  it('before it shows an address where the person interrupted it while the provider was asked', async () => {
    const { ended, queries } = await signIn(async () => undefined, AbortSignal.abort(new Error('interrupted')));
    expect([reasonOf(ended), queries]).toEqual(['interrupted', []]);
  });

  it('after ten minutes in which nobody signed in', async () => {
    const patience = new AbortController();
    const asked = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
    const { ended } = await signIn(async () => patience.abort()).finally(() => asked.mockRestore());
    expect(reasonOf(ended)).toBe('Nobody signed in within ten minutes. Run gw login again.');
  });
});

import { createHash, randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { type Authority, createAuthority } from '../development-authority.ts';
import { type TestProgram, testProgram } from './program.ts';

/** The settings of `openid-provider.ts`. */
export interface ProviderSettings {
  readonly port: number;
  readonly certificate: string;
  readonly key: string;
  /** Private signing keys; the provider publishes their public halves. */
  readonly keys: readonly JWK[];
  /** Of an identity token, in seconds. */
  readonly lifetime: number;
}

/** A real identity provider that a test can stop, restart, and give new keys. */
export interface TestIdentityProvider extends TestProgram {
  readonly issuer: string;
  readonly authority: Authority;
  keys: readonly JWK[];
  lifetime: number;
  /** Signs a user in, as a browser does, and returns the identity token for this client. */
  signIn(user: string, clientId?: string): Promise<string>;
}

export async function signingKey(alg = 'RS256', kid = randomBytes(6).toString('hex')): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, kid, use: 'sig' };
}

/** How many ports are tried where others take them between the look and its use. */
const ATTEMPTS = 5;

/** Starts an identity provider on a free port, with its own authority and one RS256 key. */
export async function startIdentityProvider(): Promise<TestIdentityProvider> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOn(await freePort());
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function startOn(port: number): Promise<TestIdentityProvider> {
  const authority = createAuthority('authority of the directory');
  const { certificate, key } = authority.certify(['127.0.0.1']);
  const program = testProgram(new URL('./openid-provider.ts', import.meta.url), () => {
    const { keys, lifetime } = provider;
    return { port, certificate, key, keys, lifetime } satisfies ProviderSettings;
  });
  const provider: TestIdentityProvider = {
    ...program,
    issuer: `https://127.0.0.1:${port}`,
    authority,
    keys: [await signingKey()],
    lifetime: 600,
    signIn: (user, clientId = 'gateway') => signIn(provider, user, clientId),
  };
  await provider.start();
  return provider;
}

async function freePort(): Promise<number> {
  // Below the system's ephemeral ports, so that no other process takes it between this check and its use.
  for (;;) {
    const port = randomInt(10_000, 30_000);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue; // taken
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

interface ProviderAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** The authorization-code flow with PKCE, through the provider's own sign-in and consent forms. */
async function signIn({ issuer, authority }: TestIdentityProvider, user: string, clientId: string): Promise<string> {
  const agent = new Agent({ ca: authority.certificate, keepAlive: false });
  const jar = new Map<string, string>();
  const send = (url: URL, form?: Record<string, string>): Promise<ProviderAnswer> =>
    new Promise((resolve, reject) => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, ...(form && { 'content-type': 'application/x-www-form-urlencoded' }) };
      const sent = request(url, { agent, method: form ? 'POST' : 'GET', headers }, (response) => {
        let text = '';
        for (const line of response.headers['set-cookie'] ?? []) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          jar.set(name, value);
        }
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.once('end', () =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location ?? null, text }),
        );
      });
      sent.once('error', reject).end(form && new URLSearchParams(form).toString());
    });

  const verifier = randomBytes(32).toString('base64url');
  const redirect = `${issuer}/landed`;
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    scope: 'openid',
    redirect_uri: redirect,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  let url = new URL(`${issuer}/auth?${query.toString()}`);
  let answer = await send(url);
  for (let step = 0; step < 12 && !url.href.startsWith(redirect); step += 1) {
    if (answer.location !== null) {
      url = new URL(answer.location, url);
      if (!url.href.startsWith(redirect)) answer = await send(url);
      continue;
    }
    const prompt = /name="prompt" value="(\w+)"/.exec(answer.text)?.[1] ?? 'consent';
    answer = await send(url, { prompt, login: user, password: 'any' });
  }
  const code = url.searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: redirect, client_id: clientId };
  const { text } = await send(new URL(`${issuer}/token`), { ...grant, code_verifier: verifier });
  return String((JSON.parse(text) as { id_token?: string }).id_token);
}

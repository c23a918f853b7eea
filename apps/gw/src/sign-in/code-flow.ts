import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oidc from 'openid-client';
import { CommandFailed } from '../process/fault.ts';
import { providerFailed, scopesOf, type TokenAnswer } from './identity-provider.ts';

const PATH = '/callback';
/** How long a person may take to sign in. */
const PATIENCE_MS = 10 * 60_000;

export interface CodeFlowPorts {
  /** Shows the address, and opens it in a browser where there is one. */
  readonly show: (address: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Signs in with the authorization code flow and PKCE; the browser comes back to a port of this machine (RFC 8252).
 * State, nonce and verifier are new each time. Other requests to the port are answered with 404.
 */
export function signInWithCode(provider: oidc.Configuration, ports: CodeFlowPorts): Promise<TokenAnswer> {
  return withLoopback(ports.signal, (loopback) => signIn(provider, ports, loopback));
}

/** A port of this machine to which the browser comes back. */
export interface Loopback {
  readonly redirectUri: string;
  /** Waits for the request with this state, and answers it by how `work` ends. */
  readonly comesBack: <T>(state: string, work: (url: URL) => Promise<T>) => Promise<T>;
}

/** Listens on the loopback interface for as long as `work` lasts. */
export async function withLoopback<T>(signal: AbortSignal, work: (loopback: Loopback) => Promise<T>): Promise<T> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    return await work({
      redirectUri: `${origin}${PATH}`,
      async comesBack(state, finish) {
        const { url, response } = await comesBack(server, origin, state, signal);
        try {
          const result = await finish(url);
          await respond(response, 200, 'You are signed in. You can close this page and go back to the terminal.');
          return result;
        } catch (error) {
          await respond(response, 400, 'The sign-in failed. The terminal says why.');
          throw error;
        }
      },
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function signIn(
  provider: oidc.Configuration,
  { show, signal }: CodeFlowPorts,
  { redirectUri, comesBack: returned }: Loopback,
): Promise<TokenAnswer> {
  const { issuer } = provider.serverMetadata();
  const [verifier, state, nonce] = [oidc.randomPKCECodeVerifier(), oidc.randomState(), oidc.randomNonce()];
  const address = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUri,
    scope: scopesOf(provider),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  });
  signal.throwIfAborted();
  const answer = returned(state, async (url) => {
    try {
      return await oidc.authorizationCodeGrant(provider, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
    } catch (error) {
      throw providerFailed(issuer, error);
    }
  });
  show(address.href);
  return answer;
}

interface Returned {
  readonly url: URL;
  /** Not answered yet. */
  readonly response: ServerResponse;
}

/** The first request with the state of this sign-in. Others may be made by any page that the browser shows. */
function comesBack(server: Server, origin: string, state: string, signal: AbortSignal): Promise<Returned> {
  signal.throwIfAborted(); // no event comes any more
  const ends = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  return new Promise((resolve, reject) => {
    ends.addEventListener('abort', () => {
      if (signal.aborted) reject(signal.reason as Error);
      else reject(new CommandFailed('Nobody signed in within ten minutes. Run gw login again.'));
    });
    server.on('request', (request, response) => {
      const url = URL.parse(request.url ?? '', origin);
      const isReturn = request.method === 'GET' && url?.origin === origin && url.pathname === PATH;
      if (isReturn && url.searchParams.get('state') === state) resolve({ url, response });
      else respond(response, 404, 'This page belongs to no sign-in.').catch(reject);
    });
  });
}

function respond(response: ServerResponse, status: number, sentence: string): Promise<void> {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    connection: 'close',
  });
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>gw</title><p>${sentence}</p></html>\n`;
  return new Promise((resolve) => {
    response.once('close', resolve);
    response.end(page, () => resolve());
  });
}

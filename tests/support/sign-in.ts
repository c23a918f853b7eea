import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createIdentityProvider as createVerifier, type TokenVerifier } from '@gateway/access';
import { freePort } from '@gateway/database/embedded';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { LoginPorts } from '../../apps/gw/src/sign-in/login.ts';
import { createIdentityProvider, listenForBoth } from '../../apps/quickstart/src/identity-provider/provider.ts';
import { issuerOf } from '../../apps/quickstart/src/identity-provider/settings.ts';
import { establishIdentityProvider } from '../../apps/quickstart/src/on-premise.ts';

const PERSON = { user: 'demo', password: 'right', subject: 'demo-person', name: 'Demo', email: 'demo@x.example' };
/** An account key. */
export const KEY = `gwk_${'0123456789abcdef'.repeat(3)}`;

/** An identity provider, a gateway that trusts it, and a person's home. */
export interface SignInWorld {
  readonly issuer: string;
  readonly gateway: string;
  readonly home: string;
  readonly verifier: TokenVerifier;
  /** What the gateway says about itself. */
  discovery: object | null;
  /** Whether the gateway accepts a token that it was shown. */
  accepts: (token: string) => Promise<boolean>;
  readonly ports: (more?: Partial<LoginPorts>) => LoginPorts;
  /** The file of credentials. */
  readonly kept: () => string;
}

/**
 * The demo identity provider of `npm start` and a gateway, for all tests of a file; the home and the answers of the gateway
 * are each test's own.
 */
export function signInSuite(): SignInWorld {
  const ours = getCACertificates('default');
  let folder: string;
  let verifier: TokenVerifier;
  let directory: Server;
  let gatewayServer: HttpServer;
  const world = {
    issuer: '',
    gateway: '',
    home: '',
    get verifier() {
      return verifier;
    },
    discovery: null as object | null,
    accepts: async (_token: string) => false,
    ports: (more: Partial<LoginPorts> = {}): LoginPorts => ({
      home: world.home,
      now: () => new Date(),
      fetch,
      signal: new AbortController().signal,
      ...more,
    }),
    kept: (): string => readFileSync(join(world.home, '.gateway', 'credentials.json'), 'utf8'),
  };

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
    world.issuer = issuerOf(established.settings);
    setDefaultCACertificates([...ours, readFileSync(established.authorityFile, 'utf8')]);
    verifier = createVerifier({ issuer: world.issuer, audience: 'gateway', subjectClaim: 'sub' });

    gatewayServer = createServer((request, response) => {
      const answer = (status: number, body: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (request.url === '/ide/identity-discovery')
        return answer(world.discovery === null ? 404 : 200, world.discovery ?? { error: 'not_found' });
      const proof = request.headers.authorization?.replace('Bearer ', '') ?? '';
      world.accepts(proof).then(
        (accepted) =>
          accepted
            ? answer(404, { error: 'Unknown endpoint: _sign-in', available: ['demo'] })
            : answer(401, { error: 'Unauthorized.' }),
        () => answer(503, { error: 'no' }),
      );
    });
    gatewayServer.listen(0, '127.0.0.1');
    await once(gatewayServer, 'listening');
    world.gateway = `http://127.0.0.1:${(gatewayServer.address() as AddressInfo).port}`;
  });

  afterAll(() => {
    setDefaultCACertificates(ours);
    directory.close();
    gatewayServer.closeAllConnections();
    gatewayServer.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    world.home = mkdtempSync(join(folder, 'home-'));
    world.discovery = { issuer: world.issuer, clientId: 'gateway' };
    world.accepts = async (token) => 'subject' in (await verifier.verify(token));
  });
  afterEach(() => rmSync(world.home, { recursive: true, force: true }));
  return world;
}

/** A browser of a few lines: it follows redirects anywhere, keeps cookies, and fills in the sign-in form. */
export function browser() {
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

export const byBrowser = async (address: string): Promise<{ text: string; status: number }> => {
  const go = browser();
  const page = await go(address);
  return go(page.url.href, { user: 'demo', password: 'right' });
};

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createAuthority } from '@gateway/access/development-authority';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** One request to the directory, its form read. */
export interface Asked {
  readonly path: string;
  readonly form: Readonly<Record<string, string>>;
}
/** What the directory answers. `cut` closes the connection instead. */
export type Reply = { readonly status?: number; readonly body: unknown } | 'cut';

/** An identity provider over HTTPS that answers as a test says. */
export interface Directory {
  readonly issuer: string;
  /** The PEM of the authority that certified it. */
  readonly authority: string;
  /** What it publishes about itself. */
  metadata: Record<string, unknown>;
  /** Every request but the one for the metadata. */
  readonly asked: readonly Asked[];
  /** Answers a path, by its query or form. */
  on(path: string, answer: (form: Asked['form']) => Reply): void;
  /** An identity token that it issued for `gw`. */
  token(claims?: Readonly<Record<string, unknown>>): string;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

async function formOf(request: IncomingMessage, url: URL): Promise<Asked['form']> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) text += chunk;
  return Object.fromEntries([...url.searchParams, ...new URLSearchParams(text)]);
}

/**
 * One directory for all tests of a file; its answers are each test's own.
 * @param trusted whether this process trusts its authority.
 */
export function directorySuite({ trusted = true } = {}): Directory {
  const authority = createAuthority('authority of the directory');
  const { certificate, key } = authority.certify(['127.0.0.1']);
  const before = getCACertificates('default');
  let asked: Asked[] = [];
  let answers = new Map<string, (form: Asked['form']) => Reply>();

  const server = createServer({ cert: certificate, key }, (request, response) => {
    const reply = async (): Promise<void> => {
      const url = new URL(request.url ?? '', 'https://127.0.0.1');
      const form = await formOf(request, url);
      const path = url.pathname;
      const isMetadata = path === '/.well-known/openid-configuration';
      if (!isMetadata) asked.push({ path, form });
      const given =
        answers.get(path)?.(form) ?? (isMetadata ? { body: directory.metadata } : { status: 404, body: {} });
      if (given === 'cut') {
        request.socket.destroy();
        return;
      }
      const isText = typeof given.body === 'string';
      response.writeHead(given.status ?? 200, { 'content-type': isText ? 'text/html' : 'application/json' });
      response.end(isText ? given.body : JSON.stringify(given.body));
    };
    reply().catch(() => request.socket.destroy());
  });

  const directory = {
    issuer: '',
    authority: authority.certificate,
    metadata: {},
    get asked() {
      return asked;
    },
    on(path: string, answer: (form: Asked['form']) => Reply) {
      answers.set(path, answer);
    },
    token(claims: Readonly<Record<string, unknown>> = {}) {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: directory.issuer, aud: 'gw', sub: 'casey', iat: now, exp: now + 3600 };
      return `${encoded({ alg: 'RS256' })}.${encoded({ ...usual, ...claims })}.${encoded('signature')}`;
    },
  };

  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    directory.issuer = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    if (trusted) setDefaultCACertificates([...before, authority.certificate]);
  });
  beforeEach(() => {
    const { issuer } = directory;
    asked = [];
    answers = new Map();
    directory.metadata = {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      device_authorization_endpoint: `${issuer}/device`,
      revocation_endpoint: `${issuer}/revoke`,
      jwks_uri: `${issuer}/keys`,
    };
  });
  afterAll(() => {
    setDefaultCACertificates(before);
    server.closeAllConnections();
    server.close();
  });
  return directory;
}

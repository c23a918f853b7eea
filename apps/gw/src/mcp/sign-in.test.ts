import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { credentialsFile } from '../sign-in/credentials-file.ts';
import { temporaryFolder } from '../testing/folder.ts';
import { createManagedServer } from './servers.ts';
import { signInToServer } from './sign-in.ts';
import { httpServer } from './testing/http-server.ts';

const NEVER = new AbortController().signal;

/** An authorization server, and an MCP server that takes its tokens alone. */
async function protectedServer() {
  const state = { accepts: '', issued: 0, refreshes: true, challenge: '' };
  const asked: string[] = [];
  const issue = () => {
    state.issued += 1;
    state.accepts = `access-${state.issued}`;
    return { access_token: state.accepts, token_type: 'Bearer', refresh_token: `refresh-${state.issued}` };
  };
  const authorization = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    const url = new URL(request.url ?? '', origin);
    const json = (status: number, value: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    };
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      asked.push(url.pathname);
      if (url.pathname === '/.well-known/oauth-authorization-server')
        json(200, {
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        });
      else if (url.pathname === '/register') json(201, { ...(JSON.parse(body) as object), client_id: 'client' });
      else if (url.pathname === '/authorize') {
        state.challenge = url.searchParams.get('code_challenge') ?? '';
        const back = new URL(url.searchParams.get('redirect_uri') ?? '');
        back.searchParams.set('state', url.searchParams.get('state') ?? '');
        back.searchParams.set('code', 'the-code');
        response.writeHead(302, { location: back.href }).end();
      } else if (url.pathname === '/token') {
        const form = new URLSearchParams(body);
        const verifier = createHash('sha256')
          .update(form.get('code_verifier') ?? '')
          .digest('base64url');
        if (form.get('grant_type') === 'authorization_code' && verifier === state.challenge) json(200, issue());
        else if (form.get('grant_type') === 'refresh_token' && state.refreshes) json(200, issue());
        else json(400, { error: 'invalid_grant' });
      } else json(404, {});
    });
  });
  await new Promise<void>((resolve) => authorization.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    authorization.closeAllConnections();
    authorization.close();
  });
  const issuer = `http://127.0.0.1:${(authorization.address() as AddressInfo).port}`;
  const { url } = await httpServer(({ http, method, headers }) => {
    const origin = `http://${headers.host}`;
    if (http === 'GET' && method === '')
      return (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ resource: `${origin}/mcp`, authorization_servers: [issuer] }));
    if (headers.authorization === `Bearer ${state.accepts}`) return undefined;
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
    return (response) =>
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
  });
  const signIns = credentialsFile(temporaryFolder()).servers;
  const server = { name: 'docs', url, ofProject: false };
  const open = async () => {
    const managed = createManagedServer(server, '/', signIns);
    onTestFinished(() => managed.close());
    await managed.open();
    return managed.tools.map(({ name }) => name);
  };
  const signIn = () =>
    signInToServer(server, {
      signIns,
      signal: NEVER,
      show: (address) => {
        fetch(address).catch(() => undefined);
      },
    });
  return { state, asked, url, signIns, open, signIn };
}

describe('an MCP server that asks for a sign-in', () => {
  it('says how to sign in, and asks nobody', async () => {
    const { open, asked } = await protectedServer();
    await expect(open()).rejects.toThrow('it needs a sign-in. Run gw login --mcp docs, or /mcp login docs');
    expect(asked).toEqual([]);
  });

  it('has its tools after the sign-in, and renews tokens that it refuses', async () => {
    const { open, signIn, state, signIns, url } = await protectedServer();
    expect(await signIn()).toBe(true);
    expect(await open()).toEqual(['mcp__docs__act']);
    state.accepts = 'another';
    expect(await open()).toEqual(['mcp__docs__act']);
    expect(await signIns.read(url)).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-2' });
  });

  it('asks for another sign-in where the tokens cannot be renewed', async () => {
    const { open, signIn, state } = await protectedServer();
    await signIn();
    Object.assign(state, { accepts: 'another', refreshes: false });
    await expect(open()).rejects.toThrow('the sign-in has expired (invalid_grant). Run gw login --mcp docs');
  });
});

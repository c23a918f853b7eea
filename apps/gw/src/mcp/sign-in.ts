import { randomBytes } from 'node:crypto';
import { errorMessage } from '@gateway/contract/error-code';
import type {
  AuthProvider,
  OAuthClientProvider,
  OAuthDiscoveryState,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { CommandFailed } from '../process/fault.ts';
import { type Loopback, withLoopback } from '../sign-in/code-flow.ts';
import type { CredentialsSection, ServerSignIn } from '../sign-in/credentials-file.ts';
import { remoteTransport, type ServerConfiguration } from './transport.ts';

/** Renewing waits for the authorization server; another process that renews is waited for. */
const PATIENCE_MS = 45_000;

/** The sign-ins at MCP servers, by their addresses. */
export type ServerSignIns = CredentialsSection<ServerSignIn>;

/** A server asks for a sign-in, and nobody signed in, or no longer. */
export class NeedsSignIn extends Error {}

/** Proves who the user is to a server where they signed in, and renews what has expired. It never opens a browser. */
export function signedInProvider({ name, url = '' }: ServerConfiguration, signIns: ServerSignIns): AuthProvider {
  let token: string | undefined;
  return {
    async token() {
      token = (await signIns.read(url))?.accessToken;
      return token;
    },
    async onUnauthorized() {
      const refused = token;
      const fix = `Run gw login --mcp ${name}, or /mcp login ${name} in a session.`;
      const renewed = await signIns.update(
        url,
        async (kept) => {
          if (kept === null) throw new NeedsSignIn(`it needs a sign-in. ${fix}`);
          if (kept.accessToken !== refused) return kept; // another process has renewed it
          try {
            return await renew(kept);
          } catch (error) {
            throw new NeedsSignIn(`the sign-in has expired (${errorMessage(error)}). ${fix}`, { cause: error });
          }
        },
        PATIENCE_MS,
      );
      token = renewed?.accessToken;
    },
  };
}

async function renew(kept: ServerSignIn): Promise<ServerSignIn> {
  const { authorizationServer, client, refreshToken, resource } = kept;
  if (refreshToken === null) throw new Error('it cannot be renewed');
  const { discoverAuthorizationServerMetadata, refreshAuthorization } = await import('@modelcontextprotocol/client');
  const metadata = await discoverAuthorizationServerMetadata(authorizationServer);
  const tokens = await refreshAuthorization(authorizationServer, {
    ...(metadata === undefined ? {} : { metadata }),
    clientInformation: client,
    refreshToken,
    ...(resource === null ? {} : { resource: new URL(resource) }),
  });
  return { ...kept, accessToken: tokens.access_token, refreshToken: tokens.refresh_token ?? refreshToken };
}

export interface SignInPorts {
  readonly signIns: ServerSignIns;
  /** Shows the address, and opens it in a browser where there is one. */
  readonly show: (address: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Signs in at a server with the authorization code flow (OAuth 2.1, PKCE), and keeps the tokens. The client is registered each
 * time, because the port to which the browser comes back is another one.
 * @returns false where the server asks for no sign-in
 */
export async function signInToServer(server: ServerConfiguration, ports: SignInPorts): Promise<boolean> {
  const { name, url } = server;
  if (url === undefined)
    throw new CommandFailed(`The MCP server ${name} is a program on this machine: it needs no sign-in.`);
  const kept = await withLoopback(ports.signal, (loopback) => signIn(server, url, ports, loopback));
  if (kept !== null) await ports.signIns.update(url, async () => kept);
  return kept !== null;
}

async function signIn(
  server: ServerConfiguration,
  url: string,
  { show, signal }: SignInPorts,
  { redirectUri, comesBack }: Loopback,
): Promise<ServerSignIn | null> {
  const { Client, UnauthorizedError } = await import('@modelcontextprotocol/client');
  const memory = createMemory(redirectUri);
  const transport = await remoteTransport({ ...server, url }, memory.provider);
  const client = new Client({ name: 'gw', version: '1' });
  const end = (): unknown => client.close().catch(() => undefined);
  signal.addEventListener('abort', end);
  try {
    await client.connect(transport);
    return null;
  } catch (error) {
    signal.throwIfAborted();
    const { address } = memory;
    if (!(error instanceof UnauthorizedError) || address === null)
      throw new CommandFailed(`The sign-in at the MCP server ${server.name} (${url}) failed: ${errorMessage(error)}`);
    const returned = comesBack(memory.state, async (back) => {
      try {
        await transport.finishAuth(back.searchParams);
        return memory.result();
      } catch (fault) {
        throw new CommandFailed(`The sign-in at the MCP server ${server.name} failed: ${errorMessage(fault)}`);
      }
    });
    show(address);
    return await returned;
  } finally {
    signal.removeEventListener('abort', end);
    await client.close().catch(() => undefined);
  }
}

/** What one sign-in has to remember, in the form that the library asks for. */
function createMemory(redirectUri: string) {
  const state = randomBytes(16).toString('hex');
  let address: string | null = null;
  let verifier = '';
  let client: StoredOAuthClientInformation | undefined;
  let tokens: StoredOAuthTokens | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  let resource: string | null = null;
  const provider: OAuthClientProvider = {
    redirectUrl: redirectUri,
    clientMetadata: {
      client_name: 'gw',
      redirect_uris: [redirectUri],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    state: () => state,
    clientInformation: () => client,
    saveClientInformation(given) {
      client = given;
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given;
    },
    codeVerifier: () => verifier,
    saveCodeVerifier(given) {
      verifier = given;
    },
    discoveryState: () => discovery,
    saveDiscoveryState(given) {
      discovery = given;
    },
    saveResourceUrl(given: string | URL) {
      resource = String(given);
    },
    redirectToAuthorization(given) {
      // Any other scheme would start a program of this machine.
      if (!/^https?:$/.test(given.protocol)) throw new CommandFailed(`${given.protocol} is no address of a web page.`);
      address = given.href;
    },
    invalidateCredentials() {
      tokens = undefined;
    },
  };
  return {
    provider,
    state,
    get address() {
      return address;
    },
    result(): ServerSignIn {
      if (client === undefined || tokens === undefined || discovery === undefined)
        throw new CommandFailed('The authorization server sent no token.');
      const { client_id, client_secret } = client;
      return {
        authorizationServer: discovery.authorizationServerUrl,
        resource,
        client: { client_id, ...(client_secret === undefined ? {} : { client_secret }) },
        accessToken: tokens.access_token,
        refreshToken: tokens.refresh_token ?? null,
      };
    },
  };
}

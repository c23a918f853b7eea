import { getCACertificates } from 'node:tls';
import * as oidc from 'openid-client';
import { Agent, fetch as fetchWith } from 'undici';
import type { PendingSignIn } from './pending.ts';
import type { DirectorySettings } from './settings.ts';

/** The directory did not answer as a directory does. */
export class DirectoryUnreachable extends Error {
  override readonly name = 'DirectoryUnreachable';
}

/** The directory's answer does not make a sign-in: declined, of another nonce, badly signed, for another audience. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined';
}

export interface DirectoryClient {
  /** Where to send a browser that begins a sign-in. */
  authorizationAddress(pending: PendingSignIn): Promise<string>;
  /** The verified claims of the person the directory sent back. */
  claims(pending: PendingSignIn, search: string): Promise<oidc.IDToken>;
  /** Where somebody signs out of the directory itself (OpenID Connect RP-Initiated Logout); null where it offers no such place. */
  endSessionAddress(): Promise<string | null>;
}

/** Signatures that count (decisions §4): never none, never one made with a shared secret. */
const ALGORITHMS = new Set(['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']);
const DISCOVERY_MILLISECONDS = 600_000;
const TIMEOUT_SECONDS = 5;
const CLOCK_TOLERANCE_SECONDS = 60;

/** Whether an error says that nobody answered, rather than that the answer was refused. */
function isSilence(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  return error instanceof TypeError && !('code' in error);
}

/** A fetch of its own: the machine's authorities and one more, which takes none away. */
function fetchTrusting(ca: string): oidc.CustomFetch {
  const dispatcher = new Agent({ connect: { ca: [...getCACertificates('default'), ca] } });
  return (url, { body, ...options }) =>
    fetchWith(url, { ...options, dispatcher, ...(body === undefined ? {} : { body }) });
}

/**
 * The authorization-code flow with PKCE, state and nonce (decisions §14). The directory describes itself at first need and every
 * ten minutes; identity tokens are verified against its published keys, besides coming from it over TLS.
 */
export function createDirectoryClient(settings: DirectorySettings): DirectoryClient {
  let known: { readonly configuration: oidc.Configuration; readonly until: number } | undefined;

  async function configuration(): Promise<oidc.Configuration> {
    if (known !== undefined && known.until > Date.now()) return known.configuration;
    const { issuer, clientId, clientSecret, ca } = settings;
    const found = await oidc.discovery(
      new URL(issuer),
      clientId,
      { [oidc.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
      clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      {
        execute: [oidc.enableNonRepudiationChecks],
        timeout: TIMEOUT_SECONDS,
        ...(ca === null ? {} : { [oidc.customFetch]: fetchTrusting(ca) }),
      },
    );
    known = { configuration: found, until: Date.now() + DISCOVERY_MILLISECONDS };
    return found;
  }

  return {
    async authorizationAddress(pending) {
      try {
        const address = oidc.buildAuthorizationUrl(await configuration(), {
          redirect_uri: settings.redirectUri,
          scope: 'openid profile email',
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: 'S256',
        });
        return address.href;
      } catch (error) {
        throw new DirectoryUnreachable(messageOf(error), { cause: error });
      }
    },
    async endSessionAddress() {
      try {
        return oidc.buildEndSessionUrl(await configuration()).href;
      } catch {
        return null; // It publishes none, or is away: who signs out here is signed out here all the same.
      }
    },
    async claims(pending, search) {
      const found = await configuration().catch((error: unknown) => {
        throw new DirectoryUnreachable(messageOf(error), { cause: error });
      });
      try {
        const tokens = await oidc.authorizationCodeGrant(found, new URL(settings.redirectUri + search), {
          expectedState: pending.state,
          expectedNonce: pending.nonce,
          pkceCodeVerifier: pending.verifier,
          idTokenExpected: true,
        });
        return checked(tokens, settings.audience);
      } catch (error) {
        if (isSilence(error)) throw new DirectoryUnreachable(messageOf(error), { cause: error });
        throw new SignInDeclined(messageOf(error), { cause: error });
      }
    },
  };
}

function checked(
  tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
  audience: string,
): oidc.IDToken {
  const claims = tokens.claims();
  const [header = ''] = (tokens.id_token ?? '').split('.');
  const { alg } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { alg?: string };
  if (claims === undefined || alg === undefined || !ALGORITHMS.has(alg)) {
    throw new SignInDeclined(`the identity token is signed with ${alg ?? 'nothing'}`);
  }
  if (![claims.aud].flat().includes(audience)) throw new SignInDeclined('the identity token is for another audience');
  return claims;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

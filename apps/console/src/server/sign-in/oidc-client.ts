import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  authoritiesBesides,
  CLOCK_TOLERANCE_S,
  createIdentityProvider,
  createOidcTransport,
  discoverIdentityProvider,
  IdentityProviderUnreachable,
  type TokenVerifier,
  whyUnreached,
} from '@gateway/access';
import { errorCode } from '@gateway/contract';
import * as oidc from 'openid-client';
import { Agent, EnvHttpProxyAgent, fetch as fetchWith } from 'undici';
import type { OidcSettings } from './oidc-settings.ts';

/** The identity provider's answer is no valid sign-in: declined, wrong nonce, invalid signature, or wrong audience. */
export class SignInDeclined extends Error {
  override readonly name = 'SignInDeclined';
}

export interface OidcClient {
  /** Where to send a browser that begins a sign-in. */
  authorizationAddress(pending: PendingSignIn): Promise<string>;
  /** The verified claims of the person that the identity provider authenticated. */
  claims(pending: PendingSignIn, search: string): Promise<oidc.IDToken>;
  /** The end-session endpoint of the identity provider (OpenID Connect RP-Initiated Logout); null where it has none. */
  endSessionAddress(): Promise<string | null>;
}

const DISCOVERY_MILLISECONDS = 600_000;
const TIMEOUT_SECONDS = 5;
/** Length limit of the identity provider's error text in the operator's log. */
const LONGEST_WORDS = 500;

/** The identity provider's metadata, and the verifier of its tokens, which is the gateway's own. */
interface Known {
  readonly configuration: oidc.Configuration;
  /** The same with the client's secret in the form; null if Basic is not tried first, or there is no secret. */
  readonly byForm: oidc.Configuration | null;
  readonly tokens: TokenVerifier;
}

/** Whether an error says that nobody answered, rather than that the answer was refused. */
function isSilence(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500;
  if (!(error instanceof Error)) return false;
  const code = errorCode(error);
  if (code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT') return true;
  if (code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  return error instanceof TypeError && !('code' in error);
}

/** How a confidential client shows its secret at the token endpoint. */
type Method = 'client_secret_basic' | 'client_secret_post';

/**
 * The method that the identity provider announces (OpenID Connect Discovery 1.0, token_endpoint_auth_methods_supported); HTTP
 * Basic, its default, where it announces both or neither.
 */
function chooseMethod(methods: readonly string[] | undefined): Method {
  const form = methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  return form ? 'client_secret_post' : 'client_secret_basic';
}

/**
 * Whether the identity provider refused the client's proof. Some do not form-decode the user and password of HTTP Basic (RFC
 * 6749, section 2.3.1), and refuse a secret with a special character.
 */
function isClientRefused(error: unknown): boolean {
  if (error instanceof oidc.WWWAuthenticateChallengeError) return error.status === 401;
  return error instanceof oidc.ResponseBodyError && ['invalid_client', 'unauthorized_client'].includes(error.error);
}

/** A separate fetch: through the enterprise proxy, and with the authorities trusted for the identity provider. */
function fetchBy({ ca, proxy }: OidcSettings): oidc.CustomFetch {
  const tls = { ca: authoritiesBesides(ca ?? []) };
  const dispatcher =
    proxy === null
      ? new Agent({ connect: tls })
      : new EnvHttpProxyAgent({ httpsProxy: proxy.url, noProxy: proxy.except ?? '', connect: tls, requestTls: tls });
  return (url, { body, ...options }) =>
    fetchWith(url, { ...options, dispatcher, ...(body === undefined ? {} : { body }) });
}

/** How the identity provider is reached. */
const wayTo = ({ ca, proxy }: OidcSettings) => ({
  ca: ca ?? undefined,
  proxy: proxy === null ? undefined : { HTTPS_PROXY: proxy.url, NO_PROXY: proxy.except ?? undefined },
});

/** Asks the identity provider for its metadata, and reports what is wrong, before anybody signs in. */
export async function checkIdentityProvider(settings: OidcSettings, complain: (line: string) => void): Promise<void> {
  try {
    await discoverIdentityProvider(settings.issuer, createOidcTransport(wayTo(settings)));
  } catch (error) {
    complain(`OIDC_ISSUER: nobody can sign in while this lasts: ${messageOf(error)}`);
  }
}

/**
 * The authorization-code flow with PKCE, state and nonce (console-3). The metadata is fetched at first use and every ten
 * minutes. Identity tokens come over TLS and are also verified with the published keys.
 */
export function createOidcClient(settings: OidcSettings): OidcClient {
  let known: (Known & { readonly at: number }) | undefined;

  async function discovered(): Promise<Known> {
    // The absolute difference: the clock may have been set back meanwhile.
    if (known !== undefined && Math.abs(Date.now() - known.at) < DISCOVERY_MILLISECONDS) return known;
    const { issuer, clientId, clientSecret, audience, subjectClaim } = settings;
    const reached = wayTo(settings);
    const description = await discoverIdentityProvider(issuer, createOidcTransport(reached));
    const configured = (proof: oidc.ClientAuth): oidc.Configuration => {
      const tolerance = { [oidc.clockTolerance]: CLOCK_TOLERANCE_S };
      const made = new oidc.Configuration(description as oidc.ServerMetadata, clientId, tolerance, proof);
      made.timeout = TIMEOUT_SECONDS;
      made[oidc.customFetch] = fetchBy(settings);
      return made;
    };
    const { token_endpoint_auth_methods_supported: methods } = description as oidc.ServerMetadata;
    const usesBasic = clientSecret !== null && chooseMethod(methods) === 'client_secret_basic';
    const inForm = clientSecret === null ? null : configured(oidc.ClientSecretPost(clientSecret));
    const first = usesBasic ? configured(oidc.ClientSecretBasic(clientSecret)) : inForm;
    const configuration = first ?? configured(oidc.None());
    const tokens = createIdentityProvider({ issuer, audience, subjectClaim, ...reached });
    known = { configuration, byForm: usesBasic ? inForm : null, tokens, at: Date.now() };
    return known;
  }

  /** Exchanges the code. The library checks what belongs to this sign-in: state, nonce, and that the token is for this client. */
  async function grantOf({ configuration, byForm }: Known, pending: PendingSignIn, search: string) {
    const exchange = (by: oidc.Configuration) =>
      oidc.authorizationCodeGrant(by, new URL(settings.redirectUri + search), {
        expectedState: pending.state,
        expectedNonce: pending.nonce,
        pkceCodeVerifier: pending.verifier,
        idTokenExpected: true,
      });
    try {
      return await exchange(configuration).catch((error: unknown) => {
        // The code is not spent by a request whose client was not known (console-3).
        if (byForm === null || !isClientRefused(error)) throw error;
        return exchange(byForm);
      });
    } catch (error) {
      if (!isSilence(error)) throw new SignInDeclined(messageOf(error), { cause: error });
      const asked = configuration.serverMetadata().token_endpoint;
      throw new IdentityProviderUnreachable(`${asked}: ${messageOf(error)}`, { cause: error });
    }
  }

  return {
    async authorizationAddress(pending) {
      try {
        const address = oidc.buildAuthorizationUrl((await discovered()).configuration, {
          redirect_uri: settings.redirectUri,
          scope: 'openid profile email',
          state: pending.state,
          nonce: pending.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(pending.verifier),
          code_challenge_method: 'S256',
        });
        return address.href;
      } catch (error) {
        throw new IdentityProviderUnreachable(messageOf(error), { cause: error });
      }
    },
    async endSessionAddress() {
      try {
        return oidc.buildEndSessionUrl((await discovered()).configuration).href;
      } catch {
        return null; // It has no such endpoint, or is not reachable: the sign-out here still succeeds.
      }
    },
    async claims(pending, search) {
      const found = await discovered().catch((error: unknown) => {
        throw new IdentityProviderUnreachable(messageOf(error), { cause: error });
      });
      const granted = await grantOf(found, pending, search);
      const verified = await found.tokens.verify(granted.id_token ?? '');
      if (!verified.ok && verified.reason === 'directory-unreachable')
        throw new IdentityProviderUnreachable(verified.detail);
      if (!verified.ok)
        throw new SignInDeclined(`the identity token was not accepted (${verified.reason}: ${verified.detail})`);
      const claims = granted.claims();
      if (claims === undefined) throw new SignInDeclined('the identity provider issued no identity token');
      return claims;
    },
  };
}

/** What went wrong: the identity provider's own error text if there is one, which the library's message leaves out. */
function messageOf(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError) {
    const { error: code, error_description: description } = error;
    return `it says ${code}${description === undefined ? '' : `: ${description}`}`.slice(0, LONGEST_WORDS);
  }
  if (error instanceof oidc.WWWAuthenticateChallengeError)
    return `it refuses this client (status ${error.status}): compare OIDC_CLIENT_ID and OIDC_CLIENT_SECRET with the identity provider`;
  if (error instanceof IdentityProviderUnreachable) return error.message;
  if (!(error instanceof oidc.ClientError)) return whyUnreached(error);
  const { message, cause } = error;
  if (cause instanceof Error) return `${message}: ${cause.message}`;
  const isAnswer = typeof cause === 'object' && cause !== null && 'status' in cause;
  return isAnswer ? `${message} (status ${String(cause.status)})` : message;
}

/** How long a person may take at the identity provider. */
export const SIGN_IN_SECONDS = 600;

/**
 * A sign-in that a browser began. Only the browser has its secret, in a cookie. State, nonce and PKCE verifier are derived from
 * it, so the server stores nothing until the browser returns.
 */
interface PendingSignIn {
  /** The content of the cookie: the secret and, after a dot, the return location. */
  readonly cookie: string;
  /** Where it is to lead, as it was asked for; null where it was not. */
  readonly returnTo: string | null;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** By which a return is known, so that it counts once. */
  readonly digest: Buffer;
}

function deriveKey(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

/** The state covers the return location too: a cookie with another location matches no return. */
function pending(secret: string, returnTo: string | null): PendingSignIn {
  return {
    cookie: returnTo === null ? secret : `${secret}.${Buffer.from(returnTo).toString('base64url')}`,
    returnTo,
    state: deriveKey(secret, returnTo === null ? 'state' : `state ${returnTo}`),
    nonce: deriveKey(secret, 'nonce'),
    verifier: deriveKey(secret, 'verifier'),
    digest: createHash('sha256').update(secret).digest(),
  };
}

/** @param returnTo the return location */
export function beginSignIn(returnTo: string | null): PendingSignIn {
  return pending(randomBytes(32).toString('base64url'), returnTo);
}

/** The sign-in a cookie belongs to, where the returning state is its own: otherwise another browser began it. */
export function resumeSignIn(cookie: string | undefined, state: string | null): PendingSignIn | null {
  const [, secret, returnTo] = /^([\w-]{43})(?:\.([\w-]+))?$/.exec(cookie ?? '') ?? [];
  if (secret === undefined || state === null) return null;
  const begun = pending(secret, returnTo === undefined ? null : Buffer.from(returnTo, 'base64url').toString());
  const [given, expected] = [Buffer.from(state), Buffer.from(begun.state)];
  return given.length === expected.length && timingSafeEqual(given, expected) ? begun : null;
}

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
import { errorCode, isReservedName, type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import { email as address, line, subject } from '@gateway/contract/fields';
import { legible } from '@gateway/contract/legible';
import type { Sql } from '@gateway/database';
import { isUnavailability } from '@gateway/database/client/unavailable';
import type { OidcPerson } from '@gateway/domain/account/console-subjects';
import {
  admitOidcPerson,
  closeSession,
  openSession,
  readSessionCaller,
  spendSignIn,
} from '@gateway/domain/session/console-sign-in';
import * as oidc from 'openid-client';
import { Agent, EnvHttpProxyAgent, fetch as fetchWith } from 'undici';
import { v7 as uuid } from 'uuid';
import type { Subject } from '../http/caller.ts';
import { notice, refusalNotice } from '../http/notice.ts';
import { OWN_SURFACE, surfacesOf } from '../http/pages.ts';
import { isFromElsewhere, signOutQuestion } from '../http/security-headers.ts';
import type { OidcSettings } from './oidc-settings.ts';
import {
  type CookieJar,
  cookieJar,
  cookiesOf,
  type Identification,
  type ReturnLocation,
  returnLocationOf,
  type SignIn,
} from './sign-in.ts';

const shownName = line(200);

/** The person of verified claims; null where the subject's claim is no text that can be stored and compared. */
export function personOf(claims: Readonly<Record<string, unknown>>, subjectClaim: string): OidcPerson | null {
  const named = subject.safeParse(claims[subjectClaim]);
  // A reserved name identifies no person: neither an author nor a workload.
  if (!named.success || isReservedName(named.data)) return null;
  const [displayName, email] = [shownName.safeParse(claims['name']), address.safeParse(claims['email'])];
  return { subject: named.data, displayName: displayName.data ?? null, email: email.data ?? null };
}

/** The maximum lifetime of a session. Rights are read again for every request, so a session only identifies its user. */
const SESSION_SECONDS = 8 * 3600;

const OUTSIDE = { refused: refusal('sign-in-directory'), reason: 'credentials-missing' } as const;

const LOGIN = '/auth/login';
const LOGOUT = '/auth/logout';

/** Sign-ins that one browser may run at once, in several tabs, and the bytes of their cookies: many proxies refuse a header of 8 KiB. */
const MOST_SIGN_INS = 10;
const MOST_SIGN_IN_BYTES = 6 * 1024;
const SIGN_IN = 'sign-in-';

/** The sign-in link on every page that refuses; it returns to the requested location. */
function signInLinks(returnTo: ReturnLocation | null) {
  return {
    'Sign in': returnTo === null ? LOGIN : `${LOGIN}?to=${encodeURIComponent(returnTo.surface + returnTo.fragment)}`,
  };
}

function refuse(
  request: Request,
  refused: Refusal,
  {
    cookies = [],
    returnTo = null,
    cause,
  }: {
    readonly cookies?: readonly string[];
    readonly returnTo?: ReturnLocation | null;
    readonly cause?: string;
  } = {},
): Response {
  const note = cause === undefined ? {} : { note: `Cause: ${cause}.` };
  return refusalNotice(request, refused, { cookies, links: signInLinks(returnTo), ...note });
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** The location after sign-in: the requested one if a role opens it, else the first surface that a role opens. */
function destinationOf(roles: Subject['roles'], returnTo: ReturnLocation | null): string {
  const open = Object.values(surfacesOf(roles));
  return returnTo !== null && open.includes(returnTo.surface)
    ? returnTo.surface + returnTo.fragment
    : (open[0] ?? OWN_SURFACE);
}

/** The purposes of the oldest sign-ins, which end where a new one begins. @param bytes of the new one's cookie */
function superseded(begun: ReturnType<typeof cookiesOf>, bytes: number): readonly string[] {
  let [count, sum] = [1, bytes];
  const ended: string[] = [];
  for (const one of begun.toReversed()) {
    [count, sum] = [count + 1, sum + one.bytes];
    if (count > MOST_SIGN_INS || sum > MOST_SIGN_IN_BYTES) ended.push(one.purpose);
  }
  return ended;
}

/**
 * Sign-in of the on-premise profile: the organization's identity provider identifies the user. This console keeps a session of
 * which the database has only a digest (console-6). No password is seen here.
 */
export function createOidcSignIn(options: {
  readonly settings: OidcSettings;
  readonly client: OidcClient;
  readonly database: Sql;
  /** Called with the cause of a failed sign-in. */
  readonly onFailure: (line: string) => void;
}): SignIn {
  const { settings, client, database, onFailure } = options;
  const secure = settings.redirectUri.startsWith('https:');
  const sessionCookie = cookieJar('session', secure);

  /** Each sign-in has a cookie of its own, which its state names. */
  const begunCookie = (state: string | null): CookieJar =>
    cookieJar(SIGN_IN + (state ?? '').replaceAll(/[^\w-]/g, '').slice(0, 16), secure);
  const resumed = (request: Request, state: string | null) => resumeSignIn(begunCookie(state).read(request), state);

  /** The requested location at the start of a sign-in, and at the return. */
  function askedFor(request: Request): ReturnLocation | null {
    const { searchParams } = new URL(request.url);
    const begun = resumed(request, searchParams.get('state'));
    return returnLocationOf(begun === null ? searchParams.get('to') : begun.returnTo);
  }

  function redirect(location: string, cookies: readonly string[]): Response {
    const answer = new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
    for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
    return answer;
  }

  async function login(request: Request): Promise<Response> {
    const returnTo = askedFor(request);
    const begun = beginSignIn(returnTo === null ? null : returnTo.surface + returnTo.fragment);
    const cookie = begunCookie(begun.state).set(begun.cookie, SIGN_IN_SECONDS);
    const left = superseded(cookiesOf(request, SIGN_IN, secure), cookie.indexOf(';'));
    return redirect(await client.authorizationAddress(begun), [
      cookie,
      ...left.map((old) => cookieJar(old, secure).clear()),
    ]);
  }

  async function callback(request: Request): Promise<Response> {
    const { search, searchParams } = new URL(request.url);
    const begun = resumed(request, searchParams.get('state'));
    if (begun === null) return refuse(request, refusal('sign-in-return'));
    const returnTo = returnLocationOf(begun.returnTo);
    const refuseBegun = (refused: Refusal) =>
      refuse(request, refused, { cookies: [begunCookie(begun.state).clear()], returnTo });
    // Counted before the identity provider is asked: a return that is replayed concurrently counts once.
    if (!(await spendSignIn(database, begun.digest, SIGN_IN_SECONDS))) return refuseBegun(refusal('sign-in-return'));
    const person = personOf(await client.claims(begun, search), settings.subjectClaim);
    if (person === null) throw new SignInDeclined(`the claim ${settings.subjectClaim} names no subject`);
    if (!(await admitOidcPerson(database, uuid(), person))) return refuseBegun(refusal('sign-in-not-admitted'));
    const secret = randomBytes(32).toString('base64url');
    const before = sessionCookie.read(request);
    await openSession(database, {
      digest: digestOf(secret),
      subject: person.subject,
      lifetimeSeconds: SESSION_SECONDS,
      replaces: before === undefined ? null : digestOf(before),
    });
    const facts = await readSessionCaller(database, digestOf(secret));
    return redirect(destinationOf(facts?.roles ?? [], returnTo), [
      sessionCookie.set(secret, SESSION_SECONDS),
      begunCookie(begun.state).clear(),
    ]);
  }

  async function logout(request: Request): Promise<Response> {
    if (isFromElsewhere(request)) return signOutQuestion(request, LOGOUT);
    const secret = sessionCookie.read(request);
    if (secret !== undefined) await closeSession(database, digestOf(secret));
    const sentence = 'You are signed out of this console. The identity provider may still know you.';
    const endSession = await client.endSessionAddress();
    const links =
      endSession === null
        ? signInLinks(null)
        : { ...signInLinks(null), 'Sign out of the identity provider too': endSession };
    return notice(request, 200, sentence, { cookies: [sessionCookie.clear()], links });
  }

  function refusedAs(reason: RefusalCode, subject: Subject): Identification {
    return { refused: refusal(reason === 'subject-revoked' ? reason : 'sign-in-directory'), reason, subject };
  }

  return {
    origin: new URL(settings.redirectUri).origin,
    signInAddress: LOGIN,
    signOutAddress: LOGOUT,
    async identify(request) {
      const secret = sessionCookie.read(request);
      if (secret === undefined) return OUTSIDE;
      const facts = await readSessionCaller(database, digestOf(secret));
      if (facts === undefined) return OUTSIDE;
      const subject: Subject = { kind: 'subject', credential: 'token', ...facts };
      if (!facts.accountEnabled) return refusedAs('account-disabled', subject);
      return facts.subjectRevoked ? refusedAs('subject-revoked', subject) : { caller: subject };
    },
    async answerAuth(request) {
      const { pathname } = new URL(request.url);
      if (request.method !== 'GET') return undefined;
      try {
        if (pathname === LOGIN) return await login(request);
        if (pathname === '/auth/callback') return await callback(request);
        if (pathname === LOGOUT) return await logout(request);
        return undefined;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof SignInDeclined) onFailure(`a sign-in was refused: ${error.message}`);
        else if (error instanceof IdentityProviderUnreachable)
          onFailure(`OIDC_ISSUER: the identity provider cannot be used: ${error.message}`);
        else if (!isUnavailability(error)) throw error;
        const returnTo = askedFor(request);
        if (error instanceof SignInDeclined)
          return refuse(request, refusal('sign-in-declined'), {
            cookies: [begunCookie(new URL(request.url).searchParams.get('state')).clear()],
            returnTo,
            cause: legible(error.message),
          });
        const silent = refusal(error instanceof IdentityProviderUnreachable ? 'directory-silent' : 'undecided');
        return refuse(request, silent, { returnTo });
      }
    },
  };
}

/** The sign-in of a console without an identity provider: nobody can sign in, and nobody sees why (console-4). */
export const CLOSED: SignIn = { identify: async () => OUTSIDE };

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
const SIGN_IN_SECONDS = 600;

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

import { createHash, randomBytes } from 'node:crypto';
import { IdentityProviderUnreachable } from '@gateway/access';
import { line, subject } from '@gateway/access/declarations';
import { isReservedName, type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import { legible } from '@gateway/contract/legible';
import type { Sql } from '@gateway/database';
import {
  admitOidcPerson,
  closeSession,
  isUnavailability,
  type OidcPerson,
  openSession,
  readSessionCaller,
  spendSignIn,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import type { Subject } from '../http/caller.ts';
import { notice, refusalNotice } from '../http/notice.ts';
import { isFromElsewhere, signOutQuestion } from '../http/security-headers.ts';
import { OWN_SURFACE, surfacesOf } from '../routing/pages.ts';
import { type CookieJar, cookieJar, cookiesOf, type ReturnLocation, returnLocationOf } from './cookies.ts';
import { beginSignIn, type OidcClient, resumeSignIn, SIGN_IN_SECONDS, SignInDeclined } from './oidc-client.ts';
import type { OidcSettings } from './oidc-settings.ts';
import type { Identification, SignIn } from './sign-in.ts';

const shownName = line(200);
const address = line(320);

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

import { createHash, randomBytes } from 'node:crypto';
import { type Refusal, type RefusalCode, refusal } from '@gateway/contract';
import type { Sql } from '@gateway/database';
import {
  admitDirectoryPerson,
  closeSession,
  isUnavailability,
  openSession,
  readSessionCaller,
  spendSignIn,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import { notice, refusalNotice } from '../../notice.ts';
import type { Subject } from '../caller.ts';
import type { Identification, SignIn } from '../sign-in.ts';
import { type DirectoryClient, DirectoryUnreachable, SignInDeclined } from './client.ts';
import { cookieJar } from './cookies.ts';
import { beginSignIn, resumeSignIn, SIGN_IN_SECONDS } from './pending.ts';
import { personOf } from './person.ts';
import type { DirectorySettings } from './settings.ts';

/** How long a session lasts at most. Its rights are read anew for every request, so it only says who is there. */
const SESSION_SECONDS = 8 * 3600;

const OUTSIDE = { refused: refusal('sign-in-directory'), reason: 'credentials-missing' } as const;

/** The way in, on every page that says why somebody is not. */
const WAY_IN = { 'Sign in': '/auth/login' };

function refuse(request: Request, refused: Refusal, cookies: readonly string[] = []): Response {
  return refusalNotice(request, refused, { cookies, links: WAY_IN });
}

function digestOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Where somebody is led after signing in: the first surface a role of theirs opens. */
function surfaceOf(roles: Subject['roles']): string {
  const held = new Set(roles.map(({ role }) => role));
  if (held.has('administrateur-d-instance')) return '/';
  if (held.has('auditeur')) return '/audit';
  return held.has('administrateur-de-projet') ? '/project' : '/';
}

/**
 * Sign-in of the on-premise profile: the organization's directory says who somebody is, this console keeps a session of which
 * the database holds only a digest (decisions §14). No password is seen here.
 */
export function createDirectorySignIn(options: {
  readonly settings: DirectorySettings;
  readonly client: DirectoryClient;
  readonly database: Sql;
  /** Told why a sign-in failed; whoever signs in learns only that it did. */
  readonly onFailure: (line: string) => void;
}): SignIn {
  const { settings, client, database, onFailure } = options;
  const secure = settings.redirectUri.startsWith('https:');
  const begunCookie = cookieJar('sign-in', secure);
  const sessionCookie = cookieJar('session', secure);

  function redirect(location: string, cookies: readonly string[]): Response {
    const answer = new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
    for (const cookie of cookies) answer.headers.append('set-cookie', cookie);
    return answer;
  }

  async function login(): Promise<Response> {
    const begun = beginSignIn();
    return redirect(await client.authorizationAddress(begun), [begunCookie.set(begun.secret, SIGN_IN_SECONDS)]);
  }

  async function callback(request: Request): Promise<Response> {
    const { search, searchParams } = new URL(request.url);
    const begun = resumeSignIn(begunCookie.read(request), searchParams.get('state'));
    if (begun === null) return refuse(request, refusal('sign-in-return'));
    const refuseBegun = (refused: Refusal) => refuse(request, refused, [begunCookie.clear()]);
    // Counted before the directory is asked: a return that is played twice at once counts once.
    if (!(await spendSignIn(database, begun.digest, SIGN_IN_SECONDS))) return refuseBegun(refusal('sign-in-return'));
    const person = personOf(await client.claims(begun, search), settings.subjectClaim);
    if (person === null) throw new SignInDeclined(`the claim ${settings.subjectClaim} names no subject`);
    if (!(await admitDirectoryPerson(database, uuid(), person))) return refuseBegun(refusal('sign-in-not-admitted'));
    const secret = randomBytes(32).toString('base64url');
    const before = sessionCookie.read(request);
    await openSession(database, {
      digest: digestOf(secret),
      subject: person.subject,
      lifetimeSeconds: SESSION_SECONDS,
      replaces: before === undefined ? null : digestOf(before),
    });
    const facts = await readSessionCaller(database, digestOf(secret));
    return redirect(surfaceOf(facts?.roles ?? []), [sessionCookie.set(secret, SESSION_SECONDS), begunCookie.clear()]);
  }

  async function logout(request: Request): Promise<Response> {
    // A link on another site must not sign anybody out.
    if (request.headers.get('sec-fetch-site') === 'cross-site') return refuse(request, refusal('cross-site'));
    const secret = sessionCookie.read(request);
    if (secret !== undefined) await closeSession(database, digestOf(secret));
    const sentence = 'You are signed out of this console. The directory of the organization may still know you.';
    const directory = await client.endSessionAddress();
    const links = directory === null ? WAY_IN : { ...WAY_IN, 'Sign out of the directory too': directory };
    return notice(request, 200, sentence, { cookies: [sessionCookie.clear()], links });
  }

  function refusedAs(reason: RefusalCode, subject: Subject): Identification {
    return { refused: refusal(reason === 'subject-revoked' ? reason : 'sign-in-directory'), reason, subject };
  }

  return {
    signInAddress: WAY_IN['Sign in'],
    signOutAddress: '/auth/logout',
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
        if (pathname === '/auth/login') return await login();
        if (pathname === '/auth/callback') return await callback(request);
        if (pathname === '/auth/logout') return await logout(request);
        return undefined;
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        if (error instanceof SignInDeclined) onFailure(`a sign-in was refused: ${error.message}`);
        else if (error instanceof DirectoryUnreachable) onFailure(`the directory does not answer: ${error.message}`);
        else if (!isUnavailability(error)) throw error;
        if (error instanceof SignInDeclined) return refuse(request, refusal('sign-in-declined'), [begunCookie.clear()]);
        return refuse(request, refusal(error instanceof DirectoryUnreachable ? 'directory-silent' : 'undecided'));
      }
    },
  };
}

/** The sign-in of a console without a directory: nobody enters, and nobody is told why (specification, Errors, Console). */
export const CLOSED: SignIn = { identify: async () => OUTSIDE };

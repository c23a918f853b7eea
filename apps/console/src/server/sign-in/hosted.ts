import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { digestOfAccountKey } from '@gateway/access';
import {
  isAccountKey,
  type RefusalCode,
  refusal,
  SHARED_PAIR_AUTHOR,
  sentenceOf,
  statusOf,
  WORKLOAD_PREFIX,
} from '@gateway/contract';
import type { Sql } from '@gateway/database';
import {
  type CallerFacts,
  closeSession,
  isPairSession,
  openSession,
  readKeyCaller,
  readKeySessionCaller,
} from '@gateway/domain/session/console-sign-in';
import { type Caller, readProof, type Subject } from '../http/caller.ts';
import { escaped, htmlPage, notice } from '../http/notice.ts';
import { surfacesOf } from '../http/pages.ts';
import { isFromElsewhere, signOutQuestion } from '../http/security-headers.ts';
import {
  cookieJar,
  type Identification,
  returnLocationOf,
  type SignIn,
  type SignInForm,
  type Unidentified,
} from './sign-in.ts';

/** How long a session lasts at most. Its rights are read again for every request. */
const SESSION_SECONDS = 8 * 3600;

/** Sessions of the hosted console: a browser has a random secret, the database a digest of it. */
interface HostedSessions {
  /** @returns the header line of the cookie */
  open(request: Request, caller: Caller): Promise<string>;
  /** What a session belongs to: the pair, the owner of the key, or nobody. */
  read(request: Request): Promise<'pair' | CallerFacts | null>;
  /** @returns the header line that takes the cookie away */
  close(request: Request): Promise<string>;
}

/**
 * @param pair digest of the shared pair: a session of the pair ends with its password
 * @param secure whether browsers reach the console over TLS
 */
function createHostedSessions(database: Sql, pair: Buffer, secure: boolean): HostedSessions {
  const cookie = cookieJar('session', secure);
  const digestOf = (secret: string): Buffer => createHash('sha256').update(secret).digest();
  const pairDigestOf = (secret: string): Buffer => createHash('sha256').update(secret).update(pair).digest();
  const secretOf = (request: Request): string | null => {
    const secret = cookie.read(request);
    return secret !== undefined && /^[\w-]{43}$/.test(secret) ? secret : null;
  };
  return {
    async open(request, caller) {
      const secret = randomBytes(32).toString('base64url');
      const before = secretOf(request);
      if (before !== null) await closeSession(database, pairDigestOf(before));
      await openSession(database, {
        digest: caller.kind === 'shared-pair' ? pairDigestOf(secret) : digestOf(secret),
        subject: caller.kind === 'shared-pair' ? SHARED_PAIR_AUTHOR : caller.subject,
        kind: caller.kind === 'shared-pair' ? 'pair' : 'key',
        keyId: caller.kind === 'shared-pair' ? null : caller.keyId,
        lifetimeSeconds: SESSION_SECONDS,
        replaces: before === null ? null : digestOf(before),
      });
      return cookie.set(secret, SESSION_SECONDS);
    },
    async read(request) {
      const secret = secretOf(request);
      if (secret === null) return null;
      const facts = await readKeySessionCaller(database, digestOf(secret));
      if (facts !== undefined) return facts;
      return (await isPairSession(database, pairDigestOf(secret))) ? 'pair' : null;
    },
    async close(request) {
      const secret = secretOf(request);
      if (secret !== null) {
        await closeSession(database, digestOf(secret));
        await closeSession(database, pairDigestOf(secret));
      }
      return cookie.clear();
    },
  };
}

const LOGIN = '/auth/login';
const LOGOUT = '/auth/logout';

/** Bytes of a form that are read: a name, a key and a return location. */
const MOST_BYTES = 16_384;

/** The keyboard begins in the field that has to be filled in. */
const form = (user: string, returnTo: string, fault: string | null): string => `<form method="post" action="${LOGIN}">
${fault === null ? '' : `<p role="alert" class="fault" id="fault">${escaped(fault)}</p>`}
<input type="hidden" name="to" value="${escaped(returnTo)}">
<label for="user">Username</label>
<input id="user" name="user" value="${escaped(user)}" autocomplete="username" autocapitalize="none" spellcheck="false" required${user === '' ? ' autofocus' : ''}${marked(fault)}>
<label for="password">Password, or account key</label>
<input id="password" name="password" type="password" autocomplete="current-password" required${user === '' ? '' : ' autofocus'}${marked(fault)}>
<button type="submit">Sign in</button>
</form>
<p>Sign in with the console's shared user and password, or with your username and one of your account keys.</p>`;

const marked = (fault: string | null): string =>
  fault === null ? '' : ' aria-invalid="true" aria-describedby="fault"';

/** The location after sign-in: the requested one if a role opens it, else the first surface that a role opens. */
function destinationOf(returnTo: string, surfaces: readonly string[]): string {
  const asked = returnLocationOf(returnTo);
  return asked !== null && surfaces.includes(asked.surface) ? asked.surface + asked.fragment : (surfaces[0] ?? '/');
}

/** The sign-in page of the hosted console, and the session that follows it. */
function createHostedForm(sessions: HostedSessions): SignInForm {
  return {
    path: LOGIN,
    async read(request) {
      const announced = Number(request.headers.get('content-length') ?? Number.NaN);
      if (!(announced <= MOST_BYTES)) return { proof: null, user: '', returnTo: '' };
      const fields = new URLSearchParams(await request.text());
      const [user, password] = [fields.get('user') ?? '', fields.get('password') ?? ''];
      const isAmbiguous = user.includes(':') && !isAccountKey(password);
      const typed = {
        // A key in the wrong field is not shown, nor what may be a part of the password.
        user: isAmbiguous || isAccountKey(user) || /\p{Cc}/u.test(user) ? '' : user,
        returnTo: fields.get('to') ?? '',
      };
      if (user === '' || password === '' || isAmbiguous) return { ...typed, proof: null };
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      const proof = new Request(request.url, { headers: { authorization } });
      return { ...typed, proof };
    },
    page(_, { user, returnTo }, fault) {
      const sentence = fault === null ? null : fault.code === 'sign-in-hosted' ? WRONG : sentenceOf(fault);
      // A challenge would open the browser's own prompt above this page.
      const status = fault === null ? 200 : statusOf(fault) === 401 ? 403 : statusOf(fault);
      const answer = htmlPage(status, form(user, returnTo, sentence), 'Sign in');
      for (const [name, value] of Object.entries(fault?.headers ?? {}))
        if (name.toLowerCase() !== 'www-authenticate') answer.headers.set(name, value);
      return answer;
    },
    async enter(request, caller, returnTo) {
      const cookie = await sessions.open(request, caller);
      const surfaces = Object.values(surfacesOf(caller.kind === 'shared-pair' ? null : caller.roles));
      return new Response(null, {
        status: 303,
        headers: { location: destinationOf(returnTo, surfaces), 'cache-control': 'no-store', 'set-cookie': cookie },
      });
    },
  };
}

const WRONG =
  'Username and password do not match. For an account, the password is one of its keys (gwk_…), which an administrator issues.';

/** Ends the session. */
async function signOut(request: Request, sessions: HostedSessions): Promise<Response> {
  if (isFromElsewhere(request)) return signOutQuestion(request, LOGOUT);
  const sentence =
    'You are signed out of this console. A browser that was asked for a password by itself keeps it until it is closed.';
  return notice(request, 200, sentence, {
    cookies: [await sessions.close(request)],
    links: { 'Sign in': LOGIN },
  });
}

const CHALLENGE = { 'www-authenticate': 'Basic realm="gateway console", charset="UTF-8"' };

function digest(user: string, password: string): Buffer {
  return createHash('sha256').update(`${user}:${password}`).digest();
}

/**
 * Sign-in of the hosted profile: the shared pair by HTTP Basic, or an account key with the roles of its account
 * (console-5), by HTTP Basic too: the username and a key as password. People sign in by a form, and get a session.
 */
export function createHostedSignIn(options: {
  readonly user: string;
  readonly password: string;
  readonly database: Sql;
  /** Whether browsers reach the console over TLS. */
  readonly secure: boolean;
}): SignIn {
  const pair = digest(options.user, options.password);
  const sessions = createHostedSessions(options.database, pair, options.secure);

  async function identifyKey(key: string, username: string | null): Promise<Identification> {
    const facts = isAccountKey(key) ? await readKeyCaller(options.database, digestOfAccountKey(key)) : undefined;
    // A workload calls the gateway only: no role opens the console to it.
    const isWorkload = facts?.subject.startsWith(WORKLOAD_PREFIX) ?? false;
    if (facts === undefined || isWorkload || (username !== null && facts.subject !== username)) {
      // A password that could be no key was a guess at the pair.
      const credential = username === null || isAccountKey(key) ? 'key' : 'none';
      return { ...refuseAs('key-unknown'), credential };
    }
    return identified(facts);
  }

  function identified(facts: CallerFacts): Identification {
    const subject: Subject = { kind: 'subject', credential: 'key', ...facts };
    if (facts.keyRevoked) return refuseAs('key-revoked', subject);
    if (facts.keyExpired) return refuseAs('key-expired', subject);
    if (!facts.accountEnabled) return refuseAs('account-disabled', subject);
    return facts.subjectRevoked ? refuseAs('subject-revoked', subject) : { caller: subject };
  }

  /** The caller that signed in by the form. A page of the console must not trigger the browser's own prompt. */
  async function identifySession(request: Request): Promise<Identification> {
    const read = await sessions.read(request);
    if (read === 'pair') return { caller: { kind: 'shared-pair' } };
    const found = read === null ? refuseAs('credentials-missing') : identified(read);
    if ('caller' in found || (read === null && request.headers.get('x-gateway-console') === null)) return found;
    return found.reason === 'subject-revoked' ? found : { ...found, refused: refusal('sign-in-hosted') };
  }

  return {
    signInAddress: LOGIN,
    signOutAddress: LOGOUT,
    form: createHostedForm(sessions),
    async answerAuth(request) {
      const { pathname } = new URL(request.url);
      return pathname === LOGOUT && request.method === 'GET' ? signOut(request, sessions) : undefined;
    },
    async identify(request) {
      const proof = readProof(request.headers);
      if (proof?.kind === 'key') return identifyKey(proof.key, null);
      if (proof === null) return identifySession(request);
      if (proof.kind === 'unusable') return refuseAs('key-unknown');
      // Both digests have one length for any input, so the comparison takes the same time for every guess.
      if (timingSafeEqual(digest(proof.user, proof.password), pair)) {
        // Nothing is read for the pair. The database is still queried: otherwise the pair would learn of an outage only half a
        // minute later, when the change times out.
        await options.database`select 1`;
        return { caller: { kind: 'shared-pair' } };
      }
      return identifyKey(proof.password, proof.user);
    },
  };
}

/** Every refused proof reads the same and names the mechanism; the reason goes to the decision log alone. */
function refuseAs(reason: RefusalCode, subject?: Subject): Unidentified {
  const refused = reason === 'subject-revoked' ? refusal(reason) : refusal('sign-in-hosted', { headers: CHALLENGE });
  return subject === undefined ? { refused, reason } : { refused, reason, subject };
}

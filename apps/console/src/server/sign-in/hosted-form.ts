import { isAccountKey, sentenceOf, statusOf } from '@gateway/contract';
import { isFromElsewhere, signOutQuestion } from '../http/cross-site.ts';
import { escaped, htmlPage, notice } from '../http/notice.ts';
import { surfacesOf } from '../routing/pages.ts';
import type { HostedSessions } from './hosted-session.ts';
import { returnLocationOf } from './return-location.ts';
import type { SignInForm } from './sign-in.ts';

export const LOGIN = '/auth/login';
export const LOGOUT = '/auth/logout';

/** Bytes of a form that are read: a name, a key and a return location. */
const MOST_BYTES = 16_384;

const form = (returnTo: string, fault: string | null): string => `<form method="post" action="${LOGIN}">
${fault === null ? '' : `<p role="alert" class="fault">${escaped(fault)}</p>`}
<input type="hidden" name="to" value="${escaped(returnTo)}">
<label for="user">Username</label>
<input id="user" name="user" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus>
<label for="password">Password, or account key</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Sign in</button>
</form>
<p>Sign in with the console's shared user and password, or with your username and one of your account keys.</p>`;

/** The location after sign-in: the requested one if a role opens it, else the first surface that a role opens. */
function destinationOf(returnTo: string, surfaces: readonly string[]): string {
  const asked = returnLocationOf(returnTo);
  return asked !== null && surfaces.includes(asked.surface) ? asked.surface + asked.fragment : (surfaces[0] ?? '/');
}

/** The sign-in page of the hosted console, and the session that follows it. */
export function createHostedForm(sessions: HostedSessions): SignInForm {
  return {
    path: LOGIN,
    async read(request) {
      const announced = Number(request.headers.get('content-length') ?? Number.NaN);
      if (!(announced <= MOST_BYTES)) return null;
      const fields = new URLSearchParams(await request.text());
      const [user, password] = [fields.get('user') ?? '', fields.get('password') ?? ''];
      if (user === '' || password === '' || (user.includes(':') && !isAccountKey(password))) return null;
      const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
      const proof = new Request(request.url, { headers: { authorization } });
      return { proof, returnTo: fields.get('to') ?? '' };
    },
    page(_, returnTo, fault) {
      const sentence = fault === null ? null : fault.code === 'sign-in-hosted' ? WRONG : sentenceOf(fault);
      // A challenge would open the browser's own prompt above this page.
      const status = fault === null ? 200 : statusOf(fault) === 401 ? 403 : statusOf(fault);
      const answer = htmlPage(status, form(returnTo, sentence), 'Sign in');
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
export async function signOut(request: Request, sessions: HostedSessions): Promise<Response> {
  if (isFromElsewhere(request)) return signOutQuestion(request, LOGOUT);
  const sentence =
    'You are signed out of this console. A browser that was asked for a password by itself keeps it until it is closed.';
  return notice(request, 200, sentence, {
    cookies: [await sessions.close(request)],
    links: { 'Sign in': LOGIN },
  });
}

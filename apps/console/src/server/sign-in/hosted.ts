import { createHash, timingSafeEqual } from 'node:crypto';
import { digestOfAccountKey } from '@gateway/access';
import { isAccountKey, type RefusalCode, refusal, WORKLOAD_PREFIX } from '@gateway/contract';
import type { Sql } from '@gateway/database';
import { type CallerFacts, readKeyCaller } from '@gateway/database/console';
import type { Subject } from '../caller/caller.ts';
import { readProof } from '../caller/proof.ts';
import { createHostedForm, LOGIN, LOGOUT, signOut } from './hosted-form.ts';
import { createHostedSessions } from './hosted-session.ts';
import type { Identification, SignIn, Unidentified } from './sign-in.ts';

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

import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take at the identity provider. */
export const SIGN_IN_SECONDS = 600;

/**
 * A sign-in that a browser began. Only the browser has its secret, in a cookie. State, nonce and PKCE verifier are derived from
 * it, so the server stores nothing until the browser returns.
 */
export interface PendingSignIn {
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

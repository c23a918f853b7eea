import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take at the directory. */
export const SIGN_IN_SECONDS = 600;

/**
 * A sign-in that a browser began. The browser alone holds its secret, in a cookie; state, nonce and PKCE verifier follow from it,
 * so that nothing about it need be kept until the directory sends the browser back.
 */
export interface PendingSignIn {
  /** What the cookie holds. */
  readonly secret: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** By which a return is known, so that it counts once. */
  readonly digest: Buffer;
}

function derived(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('base64url');
}

function pending(secret: string): PendingSignIn {
  return {
    secret,
    state: derived(secret, 'state'),
    nonce: derived(secret, 'nonce'),
    verifier: derived(secret, 'verifier'),
    digest: createHash('sha256').update(secret).digest(),
  };
}

export function beginSignIn(): PendingSignIn {
  return pending(randomBytes(32).toString('base64url'));
}

/** The sign-in a cookie belongs to, where the returning state is its own: otherwise another browser began it. */
export function resumeSignIn(secret: string | undefined, state: string | null): PendingSignIn | null {
  if (secret === undefined || !/^[\w-]{43}$/.test(secret) || state === null) return null;
  const begun = pending(secret);
  const [given, expected] = [Buffer.from(state), Buffer.from(begun.state)];
  return given.length === expected.length && timingSafeEqual(given, expected) ? begun : null;
}

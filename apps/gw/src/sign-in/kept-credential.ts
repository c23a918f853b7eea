import { claimsIn } from '../organization/control-plane.ts';
import { CommandFailed } from '../process/fault.ts';
import { type Credential, credentialsFile, type TokenCredential } from './credentials-file.ts';

/** Refreshing waits for the provider; another process that refreshes is waited for. */
const PATIENCE_MS = 45_000;

export interface KeptCredentials {
  /**
   * What proves the user's identity to a gateway: the value after `Bearer`. A token that is about to expire is refreshed
   * first, so ask before every call. Null where nobody signed in to this gateway.
   * @throws CommandFailed where the token has expired and cannot be refreshed.
   */
  proofFor(gateway: string): Promise<string | null>;
}

export interface KeptCredentialsOptions {
  readonly home: string;
  readonly now: () => Date;
  readonly fetch: typeof globalThis.fetch;
}

export function createKeptCredentials({ home, now, fetch }: KeptCredentialsOptions): KeptCredentials {
  const file = credentialsFile(home);
  let last: { readonly gateway: string; readonly credential: Credential } | null = null;

  return {
    async proofFor(gateway) {
      let credential = last?.gateway === gateway ? last.credential : await file.read(gateway);
      if (credential === null) return null;
      if (credential.kind === 'token' && isDue(credential, now())) {
        credential = await file.update(gateway, (kept) => refreshedIfDue(kept), PATIENCE_MS);
        if (credential === null) return null; // signed out meanwhile
      }
      last = { gateway, credential };
      return credential.kind === 'key' ? credential.key : credential[credential.sends];
    },
  };

  /** Under the file's lock: a refresh token serves once, and another process may have used it just now. */
  async function refreshedIfDue(kept: Credential | null): Promise<Credential | null> {
    if (kept?.kind !== 'token' || !isDue(kept, now())) return kept;
    try {
      return await refreshed(kept);
    } catch (error) {
      if (!hasExpired(kept, now())) return kept; // it still serves; the next call tries again
      throw error;
    }
  }

  async function refreshed(kept: TokenCredential): Promise<TokenCredential> {
    const { issuer, refreshToken, sends } = kept;
    if (refreshToken === null) throw new CommandFailed('Your sign-in has expired. Sign in again: gw login.');
    const { connectProvider, providerFailed, tokensIn } = await import('./identity-provider.ts');
    const { refreshTokenGrant } = await import('openid-client');
    try {
      const provider = await connectProvider(kept, fetch);
      const tokens = tokensIn(await refreshTokenGrant(provider, refreshToken), kept);
      const expiresAt = expiryOf(tokens[sends], now());
      if (hasExpired({ expiresAt: expiresAt.toISOString() }, now())) {
        throw new CommandFailed('The identity provider renewed no token that the gateway accepts.');
      }
      return { ...kept, ...tokens, expiresAt: expiresAt.toISOString() };
    } catch (error) {
      const { message } = providerFailed(issuer, error);
      throw new CommandFailed(`Your sign-in cannot be renewed. ${message} Sign in again: gw login.`);
    }
  }
}

/** Tokens are refreshed this long before they expire: clocks differ, and a call takes its time to arrive. */
const EARLY_MS = 120_000;
/** Of a token that does not say when it expires. */
const USUAL_LIFETIME_MS = 300_000;

/** When a token expires, by its own claim. */
export function expiryOf(token: string, now: Date): Date {
  const { exp } = claimsIn(token);
  const own = new Date(typeof exp === 'number' ? exp * 1000 : Number.NaN);
  return Number.isNaN(own.getTime()) ? new Date(now.getTime() + USUAL_LIFETIME_MS) : own;
}

/** Also where the file of credentials has an expiry that cannot be read. */
export function isDue({ expiresAt }: Pick<TokenCredential, 'expiresAt'>, now: Date): boolean {
  return !(Date.parse(expiresAt) - now.getTime() >= EARLY_MS);
}

export function hasExpired({ expiresAt }: Pick<TokenCredential, 'expiresAt'>, now: Date): boolean {
  return !(Date.parse(expiresAt) > now.getTime());
}

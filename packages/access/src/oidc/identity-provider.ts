import { createIssuerKeys, type FetchOutcome } from './keys.ts';
import { createTokenVerifier, type TokenRules, type TokenVerifier } from './token.ts';
import { createOidcTransport, type TransportOptions } from './transport.ts';

/** The connection to an organization's identity provider, and the required claims of its tokens (roles-5). */
export interface IdentityProviderOptions extends TokenRules, TransportOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onFetch?: FetchOutcome;
}

/** The verifier of one identity provider's tokens. Nothing is fetched before the first token. */
export function createIdentityProvider({
  now = Date.now,
  onFetch,
  ...options
}: IdentityProviderOptions): TokenVerifier {
  const keys = createIssuerKeys(options.issuer, createOidcTransport(options), now, onFetch);
  return createTokenVerifier(options, keys, now);
}

import { createIssuerKeys, type FetchOutcome } from './keys.ts';
import { createTokenVerifier, type TokenRules, type TokenVerifier } from './token.ts';
import { createDirectoryTransport, type TransportOptions } from './transport.ts';

/** The connection to an organization's identity provider, and the required claims of its tokens (roles-5). */
export interface DirectoryOptions extends TokenRules, TransportOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly onFetch?: FetchOutcome;
}

/** The verifier of one identity provider's tokens. Nothing is fetched before the first token. */
export function createDirectory({ now = Date.now, onFetch, ...options }: DirectoryOptions): TokenVerifier {
  const keys = createIssuerKeys(options.issuer, createDirectoryTransport(options), now, onFetch);
  return createTokenVerifier(options, keys, now);
}

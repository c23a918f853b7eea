import { createDirectoryKeys, type FetchOutcome } from './keys.ts';
import { createTokenVerifier, type TokenRules, type TokenVerifier } from './token.ts';
import { createDirectoryTransport, type TransportOptions } from './transport.ts';

/** How an organization's directory is reached, and what its tokens must say (roles-5). */
export interface DirectoryOptions extends TokenRules, TransportOptions {
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  readonly heard?: FetchOutcome;
}

/** The verifier of one directory's tokens. Nothing is fetched before the first token comes. */
export function createDirectory({ now = Date.now, heard, ...options }: DirectoryOptions): TokenVerifier {
  const keys = createDirectoryKeys(options.issuer, createDirectoryTransport(options), now, heard);
  return createTokenVerifier(options, keys, now);
}

import { isUntrustedAuthority } from '@gateway/contract';
import { errorCode } from '@gateway/contract/error-code';

/** The message of OpenSSL, among numbers and source locations. */
const OPENSSL = /:SSL routines:[^:]*:([^:]+)/;

/** Why an identity provider did not answer, as the end of a sentence: the network's error, and the variable that fixes it. */
export function whyUnreached(error: unknown): string {
  const cause = innermost(error);
  if (!(cause instanceof Error)) return String(cause);
  const code = errorCode(cause);
  if (isUntrustedAuthority(code))
    return `its certificate is of an authority that is not trusted (${code}): name that authority in OIDC_TLS_CA_FILE`;
  const failed = OPENSSL.exec(cause.message)?.[1];
  if (failed !== undefined) return `TLS failed: ${failed}`;
  return cause.message.split('\n', 1)[0] || code || cause.name;
}

/** Libraries wrap what happened; trying several addresses of one name fails with one error about all of them and no message of its own. */
function innermost(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return innermost(error.errors[0]);
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

import { isUntrustedAuthority } from '@gateway/contract';
import { errorCode } from '@gateway/contract/error-code';
import { READ_ONLY } from './session-settings.ts';
import { DatabaseUnavailable, READ_ONLY_TRANSACTION } from './unavailable.ts';

/**
 * Why a database did not answer, as the end of a sentence: the server's first line (a wrong password, a lock timeout), otherwise
 * the network's error.
 */
export function whyUnanswered(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof DatabaseUnavailable && error.cause !== undefined) return whyUnanswered(error.cause);
  const code = errorCode(error);
  if (code === READ_ONLY_TRANSACTION) return READ_ONLY;
  if (code === 'CONNECT_TIMEOUT') return 'it does not answer';
  if (code.startsWith('CONNECTION_')) return 'the connection was lost'; // the client's words name an address of its own
  if (code === 'EMFILE')
    return 'this process cannot open more files (EMFILE): raise its limit (ulimit -n, LimitNOFILE)';
  if (isUntrustedAuthority(code)) {
    return `its certificate is of an authority that is not trusted (${code}): name that authority in DATABASE_CA_CERT_PATH`;
  }
  if (error.message.startsWith('unsupported startup parameter')) {
    return `a pooler (PgBouncer) refuses the settings of the connection: give the address of PostgreSQL itself (${error.message})`;
  }
  // If several addresses of one name were tried, only the code explains the failure.
  return error.message.split('\n', 1)[0] || code || error.name;
}

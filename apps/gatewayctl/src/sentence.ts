import { errorCode } from '@gateway/contract';
import { whyUnanswered } from '@gateway/database';

/** Codes of the network that a person meets when the database is not there. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  ENOENT: 'there is no such socket',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'it does not answer',
  CONNECT_TIMEOUT: 'it does not answer',
  CONNECTION_CLOSED: 'it closed the connection',
  CONNECTION_DESTROYED: 'the connection was lost',
};

/** Error codes of a certificate that is not valid for this host, or not trusted here. */
const CERTIFICATE = /CERT|^UNABLE_TO_/;

/**
 * PostgreSQL's codes for a refused connection: a wrong password, no such database, too many connections, a server that starts.
 */
const REFUSED_CONNECTION = /^(28|3D|53300|57P0)/;

/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** The message of a fault at the terminal: one line, no stack trace. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  const text = unusable(error, code) ?? (error.message || code || error.name);
  const fix = code === NOT_ALLOWED ? '. DATABASE_URL must be the address of the owner of the database.' : '';
  // An argument or a file that it quotes must not write over the terminal.
  return `${text}${fix}`.replaceAll(/\s*\p{Cc}+\s*/gu, ' ');
}

/** PgBouncer's own words; it gives them the code of any fault of the protocol. */
const OF_A_POOLER = /^unsupported startup parameter/;

/** Why the address of the database is not usable; null if that is not the fault. */
function unusable(error: Error, code: string): string | null {
  const cause = UNREACHABLE[code] ?? (CERTIFICATE.test(code) ? whyUnanswered(error) : undefined);
  if (cause !== undefined) return `The database of DATABASE_URL cannot be reached: ${cause}.`;
  if (REFUSED_CONNECTION.test(code) || OF_A_POOLER.test(error.message))
    return `The database of DATABASE_URL refuses the connection: ${whyUnanswered(error)}.`;
  return null;
}

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

/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** What a fault tells the person at the terminal: one line, no stack trace. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const cause = UNREACHABLE[code];
  const text = cause
    ? `The database of DATABASE_URL cannot be reached: ${cause}.`
    : error.message || code || error.name;
  const mend = code === NOT_ALLOWED ? '. DATABASE_URL must be the address of the owner of the database.' : '';
  return `${text}${mend}`.replaceAll(/\s*\n\s*/g, ' ');
}

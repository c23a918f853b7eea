import { isUntrustedAuthority } from '@gateway/contract';
import { errorCode, errorMessage } from '@gateway/contract/error-code';
import postgres from 'postgres';

/**
 * The database gave no answer that may be trusted: silent, slower than the budget, reset, read-only, locked. Anybody who gets
 * this refuses the request (fail closed). What was asked may or may not have happened on the server.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/**
 * A connection ended before its answer came, or at the deadline of another statement. What was asked may have happened, and may be
 * asked again on a new connection, if asking twice does no harm.
 */
export class ConnectionLost extends DatabaseUnavailable {}

/** How often a statement is asked at most: one that ends its server must not do so again and again. */
export const MOST_ATTEMPTS = 4;

/**
 * Whether a statement that failed is asked again on a new connection, where asking twice does no harm.
 * @param attempts that were made. @param deadline on the clock of `performance.now()`.
 */
export function isAskedAgain(error: unknown, attempts: number, deadline: number): boolean {
  return error instanceof ConnectionLost && attempts < MOST_ATTEMPTS && performance.now() < deadline;
}

/** Between two attempts to connect, in milliseconds. */
export const PAUSE_MS = 100;

/**
 * Whether callers wait for further attempts to connect. Those that come later than two budgets after the first failure do not.
 * @param awaySince when an attempt first failed since one succeeded; null: none has.
 */
export function isWaitedFor(awaySince: number | null, budgetMs: number): boolean {
  return awaySince === null || performance.now() - awaySince < 2 * budgetMs;
}

export function unavailable(cause: unknown): DatabaseUnavailable {
  if (cause instanceof DatabaseUnavailable) return cause;
  const reason = errorMessage(cause);
  return new DatabaseUnavailable(`the database is not available: ${reason}`, { cause });
}

/** SQLSTATE `read_only_sql_transaction`: the server may stay so for ever, so the connection is not used again. */
export const READ_ONLY_TRANSACTION = '25006';

export const READ_ONLY =
  'the server is read-only and takes no changes: reset default_transaction_read_only, or point DATABASE_URL at the primary';

/** Whether the server itself answered, still listens, and takes changes. */
export function isRefusedStatement(error: unknown): boolean {
  if (errorCode(error) === READ_ONLY_TRANSACTION) return false;
  if (error instanceof ServerError) return !error.isFatal;
  return error instanceof postgres.PostgresError && error.severity !== 'FATAL' && error.severity !== 'PANIC';
}

/** Whether the server refused a statement because of its data (classes 22 and 23), not because of the server's state. */
export function isDataFault(error: unknown): error is ServerError | postgres.PostgresError {
  return (error instanceof ServerError || error instanceof postgres.PostgresError) && /^2[23]/.test(error.code);
}

/**
 * Whether an attempt to connect failed for a cause that a fail-over, a switchover or a restart ends by itself: no connection, a
 * standby, a server that starts or stops (class 57). A wrong password, or another protocol, is none.
 */
export function isPassing(error: unknown): boolean {
  if (error instanceof ServerError || error instanceof postgres.PostgresError) return error.code.startsWith('57');
  if (error instanceof Error && error.cause !== undefined) return isPassing(error.cause);
  return error instanceof DatabaseUnavailable || errorCode(error) !== '';
}

/** The server's answer to a statement that it refused, or to a connection that it ends (PostgreSQL manual, ErrorResponse). */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  /** SQLSTATE. */
  readonly code: string;
  /** `ERROR`, or `FATAL` or `PANIC` where the connection is over; in English whatever the server's language. */
  readonly severity: string;
  /** Empty where no constraint is concerned. */
  readonly constraint: string;

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'the server refused without a reason');
    this.code = fields.get('C') ?? '';
    this.severity = fields.get('V') ?? fields.get('S') ?? 'ERROR';
    this.constraint = fields.get('n') ?? '';
  }

  get isFatal(): boolean {
    return this.severity !== 'ERROR';
  }
}

/** Connection lost or refused, resources exhausted, shutdown, lock timeout. */
const CLASSES = ['08', '53', '57', '58', '40', '55P03'];

/** Whether an error means that the database did not answer, rather than that a statement was wrong. */
export function isUnavailability(error: unknown): boolean {
  if (error instanceof DatabaseUnavailable) return true;
  if (error instanceof postgres.PostgresError)
    return !isRefusedStatement(error) || CLASSES.some((begin) => error.code.startsWith(begin));
  // The client's own codes for a connection that ended, and the operating system's for one that never began: a socket's file is not there.
  const neverBegan = error instanceof Error && 'syscall' in error && error.syscall === 'connect';
  return neverBegan || /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(errorCode(error));
}

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

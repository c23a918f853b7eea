import { errorCode } from '@gateway/contract/error-code';
import { DatabaseUnavailable, READ_ONLY, READ_ONLY_TRANSACTION } from './unavailable.ts';

/** Settings of a session (name → value), sent with the start of its connection. */
export type SessionSettings = Readonly<Record<string, string | number | boolean>>;

/** Where names are looked for: nowhere before the schema of the tables. */
export const OWN_SEARCH_PATH = 'public, pg_temp';

/** What every session has. */
export function sessionSettings(applicationName: string, more: SessionSettings = {}): SessionSettings {
  return {
    application_name: applicationName,
    // The text form of values, of which the client reads only one, independent of the server's settings.
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    bytea_output: 'hex',
    extra_float_digits: 1,
    // What statements mean, and that a commit that was answered is on disk.
    search_path: OWN_SEARCH_PATH,
    standard_conforming_strings: 'on',
    default_transaction_isolation: 'read committed',
    synchronous_commit: 'on',
    client_min_messages: 'warning', // a commit that did not wait for the synchronous standby is announced by one
    ...more,
  };
}

/** How long a transaction may wait for its gateway: a frozen one must not block the chain's lock. */
const HOLD_MS = 1000;

/** What the sessions have that calls wait for. @param budgetMs after which the server itself gives a statement up */
export function hotSettings(budgetMs: number, more: SessionSettings = {}): SessionSettings {
  return {
    plan_cache_mode: 'force_generic_plan', // few statements, run often: planning them again costs more than it gains
    jit: 'off',
    statement_timeout: budgetMs,
    idle_in_transaction_session_timeout: Math.min(HOLD_MS, budgetMs),
    ...more,
  };
}

const STANDBY =
  'the server is a standby in recovery and takes no changes: promote it, or point DATABASE_URL at the primary';

/** A connection leads to a server that takes no changes. It is closed and never used again: its server may stay so for ever. */
class ReadOnlyServer extends DatabaseUnavailable {}

/**
 * What a reported parameter (ParameterStatus; PostgreSQL sends these two at the start of a session and whenever they change)
 * says about a server that takes no changes; null where it takes them.
 * @param isReading whether the session itself asked for read-only transactions.
 */
export function readOnlyFault(name: string, value: string, isReading: boolean): ReadOnlyServer | null {
  if (name === 'in_hot_standby' && value === 'on') return standbyFault();
  if (name === 'default_transaction_read_only' && value === 'on' && !isReading) return new ReadOnlyServer(READ_ONLY);
  return null;
}

export function standbyFault(): ReadOnlyServer {
  return new ReadOnlyServer(STANDBY);
}

/** Whether the server refused a statement, or a connection was refused here, because the server takes no changes. */
export function isReadOnlyFault(error: unknown): boolean {
  if (error instanceof ReadOnlyServer || errorCode(error) === READ_ONLY_TRANSACTION) return true;
  return error instanceof Error && error.cause !== undefined && isReadOnlyFault(error.cause);
}

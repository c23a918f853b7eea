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

/**
 * The database gave no answer that may be trusted: silent, slower than the budget, reset, read-only, locked. Whoever gets
 * this refuses the request (fail closed). What was asked may or may not have happened on the server.
 */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

export function unavailable(cause: unknown): DatabaseUnavailable {
  if (cause instanceof DatabaseUnavailable) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DatabaseUnavailable(`the database is not available: ${reason}`, { cause });
}

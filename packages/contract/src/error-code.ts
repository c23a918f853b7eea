/**
 * The code of an error: of the operating system (`ENOENT`), of Node.js, OpenSSL or a library. Empty where it has none. Errors about
 * several addresses of one name are represented by the first of them.
 */
export function errorCode(error: unknown): string {
  const one = firstError(error);
  return one instanceof Error && 'code' in one && typeof one.code === 'string' ? one.code : '';
}

/** Where several addresses of a name were tried, the error of the first one; any other error itself. */
export function firstError(error: unknown): unknown {
  return error instanceof AggregateError && error.errors.length > 0 ? firstError(error.errors[0]) : error;
}

/** What an error says; of a thrown value that is no error, its text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The command failed: exit code 1 and one line, which says what mends it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The code of a fault of the operating system, `EACCES` for instance; null for any other. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

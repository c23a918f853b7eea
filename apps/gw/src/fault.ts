/** The command failed: exit code 1 and one line, which says what mends it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The code of a fault of the operating system, `EACCES` for instance; null for any other. */
export function systemCodeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no right to write there.',
  EPERM: 'you have no right to write there.',
  EROFS: 'the file system is read-only.',
  ENOENT: 'the directory does not exist.',
  ENOTDIR: 'a file stands in the place of a directory.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'your share of the disk is used up.',
  ENAMETOOLONG: 'the name is too long.',
};

/** Why the system did not write, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = systemCodeOf(error) ?? 'unknown';
  return REASONS[code] ?? `the system refuses it (${code}).`;
}

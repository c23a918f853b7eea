import { errorCode, errorMessage } from '@gateway/contract/error-code';

/** The command failed: one line that says what happened and what to do. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
  readonly exitCode: number;
  /** @param exitCode 1 unless the contract names another. */
  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Wrong usage or configuration: exit code 2. The message names the option or the file and what would be right. */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
  /** Lines printed verbatim below the message: our own example, no text from outside. */
  readonly example: string;
  constructor(message: string, example = '') {
    super(message);
    this.example = example;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'you have no right to write there.',
  EPERM: 'you have no right to write there.',
  EROFS: 'the file system is read-only.',
  ENOENT: 'the directory does not exist.',
  ENOTDIR: 'a file has the name of a folder.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'your share of the disk is used up.',
  ENAMETOOLONG: 'the name is too long.',
};

/** Why the system did not write, as the end of a sentence. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error) || 'unknown';
  return REASONS[code] ?? `the system refuses it (${code}).`;
}

/** Codes that only a write has. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EROFS']);

/** What an error says; where the disk took no more, a sentence that names the file. */
export function faultMessage(error: unknown): string {
  if (!(error instanceof Error && 'syscall' in error && FULL.has(errorCode(error)))) return errorMessage(error);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : 'A file';
  return `${path} cannot be written: ${reasonOf(error)}`;
}

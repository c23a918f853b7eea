import type { Environment } from './environment.ts';

/** Where a command writes. */
export interface Terminal {
  /**
   * Standard output: results. Resolves once they are written.
   * @throws OutputClosed if the reader has exited
   * @throws CommandFailed if they cannot be written (a full disk)
   */
  write(text: string): Promise<void>;
  /** Standard error: messages beside the result. */
  report(text: string): void;
  /** Whether a person watches standard error. */
  readonly watched: boolean;
  /** Width of the terminal that shows standard output; null where no terminal does. */
  readonly columns: number | null;
}

/** What every command is given. */
export interface Context {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** `--json`: exactly one JSON document on standard output (or one on each line, where documented). */
  readonly json: boolean;
}

/** Prints a result: the value as JSON, or the lines a person reads. */
export async function print({ json, terminal }: Context, value: unknown, lines: readonly string[]): Promise<void> {
  const text = json ? JSON.stringify(value) : lines.join('\n');
  if (text === '') return;
  try {
    await terminal.write(`${text}\n`);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error; // what the command found still decides how it ends
  }
}

/** The command was refused or failed: exit code 1 and one line, which says how to fix it. */
export class CommandFailed extends Error {
  override readonly name: string = 'CommandFailed';
}

/**
 * The reader of the output has read enough (`gatewayctl journal export | head`): this is no error, and nothing more is written.
 */
export class OutputClosed extends Error {
  override readonly name = 'OutputClosed';
}

/** The compared states differ: exit code 3, without a further message. */
export class Different extends Error {
  override readonly name = 'Different';
}

/** The command was called wrongly: exit code 2. */
export class WrongUsage extends Error {
  override readonly name: string = 'WrongUsage';
}

/** The words do not fit the command: its usage is printed too. */
export class WrongWords extends WrongUsage {
  override readonly name = 'WrongWords';
}

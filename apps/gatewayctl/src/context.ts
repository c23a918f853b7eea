import type { Environment } from './environment.ts';

/** Where a command writes. */
export interface Terminal {
  /** Standard output: results. Resolves once there is room for more. */
  write(text: string): Promise<void>;
  /** Standard error: what is told beside the result. */
  tell(text: string): void;
  /** Whether a person watches standard error. */
  readonly watched: boolean;
}

/** What every command is given. */
export interface Context {
  readonly environment: Environment;
  readonly terminal: Terminal;
  /** `--json`: exactly one JSON document on standard output (or, where it says so, one a line). */
  readonly json: boolean;
}

/** Prints a result: the value as JSON, or the lines a person reads. */
export async function print({ json, terminal }: Context, value: unknown, lines: readonly string[]): Promise<void> {
  const text = json ? JSON.stringify(value) : lines.join('\n');
  if (text !== '') await terminal.write(`${text}\n`);
}

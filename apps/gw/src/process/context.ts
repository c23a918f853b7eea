import type { Environment } from './environment.ts';
import type { Machine } from './machine.ts';

/** Where a command writes, and what can be shown there. */
export interface Terminal {
  /** Standard output: results. Resolves once there is room for more. */
  write(text: string): Promise<void>;
  /** Standard error: everything else. */
  report(text: string): void;
  /**
   * All of standard input; empty where it is a terminal or closed. With `patienceMs`, null where nothing came in that time:
   * then it is no longer read.
   */
  readAll(): Promise<string>;
  readAll(patienceMs: number): Promise<string | null>;
  /** One line that the terminal does not show; null where the person ends the input. Only where `input` is true. */
  readHidden(): Promise<string | null>;
  /** One line that the person types after a question on standard error; null where they end the input. Only where `input` is true. */
  ask(question: string): Promise<string | null>;
  /** Whether a person sits at standard input, standard output and standard error. */
  readonly input: boolean;
  readonly output: boolean;
  readonly error: boolean;
  /** Characters; null where standard output is no terminal. */
  readonly columns: number | null;
  readonly rows: number | null;
  /** How many colours standard output shows. */
  readonly colors: number;
}

/** What every command is given from outside its words. */
export interface Context {
  readonly environment: Environment;
  readonly machine: Machine;
  readonly terminal: Terminal;
  readonly now: () => Date;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP. A command that never looks at it is ended by the signal. */
  readonly interrupted: () => AbortSignal;
}

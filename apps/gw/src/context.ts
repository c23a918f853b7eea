import type { Environment } from './environment.ts';
import type { Machine } from './machine.ts';

/** Where a command writes, and what can be shown there. */
export interface Terminal {
  /** Standard output: results. Resolves once there is room for more. */
  write(text: string): Promise<void>;
  /** Standard error: what is told beside the result. */
  tell(text: string): void;
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
}

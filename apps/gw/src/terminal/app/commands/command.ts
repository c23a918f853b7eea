import type { App } from '../app.ts';
import type { Turns } from '../turns.ts';

export interface CommandInfo {
  readonly name: string;
  /** One line, lower case. */
  readonly about: string;
}
/** A command of the terminal, `/name argument`. */
export interface SlashCommand extends CommandInfo {
  /** Of a running turn: most commands change what it works on, and wait for its end. */
  readonly whileRunning?: boolean;
  run(argument: string, app: App, turns: Turns): Promise<void> | void;
}

import type { App } from '../app.ts';
import type { CommandInfo } from '../completing.ts';
import type { Turns } from '../turns.ts';

/** A command of the terminal, `/name argument`. */
export interface SlashCommand extends CommandInfo {
  /** Of a running turn: most commands change what it works on, and wait for its end. */
  readonly whileRunning?: boolean;
  run(argument: string, app: App, turns: Turns): Promise<void> | void;
}

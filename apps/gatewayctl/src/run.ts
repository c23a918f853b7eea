import { type Command, CommanderError } from 'commander';
import type { Terminal } from './context/context.ts';
import type { Environment } from './context/environment.ts';
import { Different, OutputClosed, WrongUsage } from './context/fault.ts';
import { createProgram } from './program.ts';
import { sentenceOf } from './sentence.ts';

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
export const DIFFERENT = 3;

/** A command, and all commands of its groups, however deep. */
function withThoseBelow(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(withThoseBelow)];
}

/**
 * Runs one command line. Every fault ends in one line on standard error, without a stack trace.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong usage (client-27), 3 different (`diff`).
 */
export async function run(args: readonly string[], environment: Environment, terminal: Terminal): Promise<number> {
  const program = createProgram((json, work) => work({ environment, terminal, json }));
  const help: string[] = [];
  for (const command of withThoseBelow(program)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => help.push(text),
      writeErr: (text) => terminal.report(text.replaceAll(/(?!\n)\p{Cc}/gu, ' ')), // it quotes arguments
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' }).catch(async (error: unknown) => {
      if (help.length > 0) await terminal.write(help.join(''));
      throw error;
    });
    return DONE;
  } catch (error) {
    if (error instanceof OutputClosed) return DONE;
    if (error instanceof Different) return DIFFERENT;
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE; // commander has printed the error
    terminal.report(`gatewayctl: ${sentenceOf(error)}\n`);
    return error instanceof WrongUsage ? WRONG_USAGE : FAILED;
  }
}

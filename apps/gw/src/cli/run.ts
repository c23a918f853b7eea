import type { Context } from '../process/context.ts';
import { CommandFailed, faultMessage, WrongUsage } from '../process/fault.ts';
import { VERSION } from '../process/product.ts';
import { EXIT } from './command/exit.ts';
import { COMMANDS } from './commands.ts';
import { parseArguments } from './parse.ts';

/**
 * Runs one command line. Every fault ends in a short message on standard error, without a stack trace and with what
 * looks like a secret masked.
 * @returns the exit code.
 */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    return await dispatch(args, context);
  } catch (error) {
    const { maskLine } = await import('../redaction/mask-line.ts');
    context.terminal.report(`${maskLine(`gw: ${faultMessage(error)}`)}\n`);
    if (error instanceof WrongUsage) {
      context.terminal.report(error.example);
      return EXIT.wrongUsage;
    }
    return error instanceof CommandFailed ? error.exitCode : EXIT.failed;
  }
}

async function dispatch(args: readonly string[], context: Context): Promise<number> {
  const { terminal } = context;
  const [first, ...rest] = args;
  if (args.length === 1 && (first === '--version' || first === '-V')) {
    await terminal.write(`${VERSION}\n`);
    return EXIT.done;
  }
  const listed = COMMANDS.find(({ name }) => name === first);
  const command = listed === undefined ? (await import('./session/command.ts')).session : await listed.load();
  const given = parseArguments(command.usage, listed === undefined ? args : rest);
  if (given !== null) {
    if (given.options.some(({ name }) => name === '--version')) {
      await terminal.write(`${VERSION}\n`);
      return EXIT.done;
    }
    return command.start(given, context);
  }
  const help = await import('./help.ts');
  const columns = terminal.columns;
  if (listed !== undefined) await terminal.write(help.commandHelp(command.usage, columns));
  else await terminal.write((await import('./overview.ts')).overview(columns));
  return EXIT.done;
}

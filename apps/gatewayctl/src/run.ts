import { errorCode } from '@gateway/contract';
import { whyUnanswered } from '@gateway/database';
import { type Command, CommanderError } from 'commander';
import type { Terminal } from './context/context.ts';
import type { Environment } from './context/environment.ts';
import { Different, OutputClosed, WrongUsage } from './context/fault.ts';
import { createProgram } from './program.ts';

/** Codes of the network that a person meets when the database is not there. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'the host name is not known',
  ENOENT: 'there is no such socket',
  EHOSTUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'it does not answer',
  CONNECT_TIMEOUT: 'it does not answer',
  CONNECTION_CLOSED: 'it closed the connection',
  CONNECTION_DESTROYED: 'the connection was lost',
};

/** Error codes of a certificate that is not valid for this host, or not trusted here. */
const CERTIFICATE = /CERT|^UNABLE_TO_/;

/**
 * PostgreSQL's codes for a refused connection: a wrong password, no such database, too many connections, a server that starts.
 */
const REFUSED_CONNECTION = /^(28|3D|53300|57P0)/;

/** PostgreSQL's insufficient_privilege. */
const NOT_ALLOWED = '42501';

/** The message of a fault at the terminal: one line, no stack trace. */
export function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = errorCode(error);
  const text = unusable(error, code) ?? (error.message || code || error.name);
  const fix = code === NOT_ALLOWED ? '. DATABASE_URL must be the address of the owner of the database.' : '';
  // An argument or a file that it quotes must not write over the terminal.
  return `${text}${fix}`.replaceAll(/\s*\p{Cc}+\s*/gu, ' ');
}

/** PgBouncer's own words; it gives them the code of any fault of the protocol. */
const OF_A_POOLER = /^unsupported startup parameter/;

/** Why the address of the database is not usable; null if that is not the fault. */
function unusable(error: Error, code: string): string | null {
  const cause = UNREACHABLE[code] ?? (CERTIFICATE.test(code) ? whyUnanswered(error) : undefined);
  if (cause !== undefined) return `The database of DATABASE_URL cannot be reached: ${cause}.`;
  if (REFUSED_CONNECTION.test(code) || OF_A_POOLER.test(error.message))
    return `The database of DATABASE_URL refuses the connection: ${whyUnanswered(error)}.`;
  return null;
}

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

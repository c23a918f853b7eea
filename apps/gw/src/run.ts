import { maskedText } from '@gateway/secrets';
import { CommanderError } from 'commander';
import type { Context } from './context.ts';
import { createProgram, helpWidthOf } from './program.ts';
import { maskedLine } from './redaction/masked-line.ts';

export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;

/**
 * Runs one command line. Every fault ends in one line on standard error, without a stack trace, and nothing that looks
 * like a secret reaches the terminal.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage (decisions §16).
 */
export async function run(words: readonly string[], outside: Context): Promise<number> {
  const { terminal } = outside;
  const context: Context = { ...outside, terminal: { ...terminal, write: (text) => terminal.write(maskedText(text)) } };
  const tell = (text: string): void => terminal.tell(`${maskedLine(text)}\n`);
  const program = createProgram(context);
  const help: string[] = [];
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => help.push(text),
      writeErr: tell,
      getOutHelpWidth: () => helpWidthOf(context),
    });
  }
  try {
    if (words.length === 0) help.push(program.helpInformation());
    else await program.parseAsync(words, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : WRONG_USAGE; // commander has said what is wrong
    tell(`gw: ${error instanceof Error ? error.message : String(error)}`);
    return FAILED;
  } finally {
    if (help.length > 0) await context.terminal.write(help.join(''));
  }
}

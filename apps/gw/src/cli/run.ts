import { editsBetween } from '@gateway/contract/edit-distance';
import type { Context } from '../process/context.ts';
import { CommandFailed, faultMessage, WrongUsage } from '../process/fault.ts';
import { VERSION } from '../process/product.ts';
import { EXIT, type Given, type Option, type Usage } from './command/command.ts';
import { COMMANDS } from './commands.ts';

/**
 * Parses a command line: `--name value`, `--name=value`, `-n`; `--` ends the options.
 * @returns null where help is asked for. Throws `WrongUsage` otherwise where something does not fit.
 */
export function parseArguments(usage: Usage, line: readonly string[]): Given | null {
  const options: { name: string; value: string | null }[] = [];
  const positionals: string[] = [];
  const byName = new Map(usage.options.flatMap((one) => namesOf(one).map((name) => [name, one] as const)));
  for (let at = 0; at < line.length; at += 1) {
    const word = line[at] as string;
    if (word === '--') {
      positionals.push(...line.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word);
      continue;
    }
    if (word === '-h' || word === '--help') return null;
    const equals = word.startsWith('--') ? word.indexOf('=') : -1;
    const name = equals < 0 ? word : word.slice(0, equals);
    const option = byName.get(name);
    if (option === undefined) throw new WrongUsage(`${name} is not an option of ${usage.name}.${hint(usage, name)}`);
    let value: string | null = equals < 0 ? null : word.slice(equals + 1);
    if (option.value === undefined) {
      if (value !== null) throw new WrongUsage(`${name} takes no value.`);
    } else if (value === null && option.optional !== undefined) {
      const next = line[at + 1];
      if (next !== undefined && option.optional.test(next)) {
        value = next;
        at += 1;
      }
    } else if (value === null) {
      value = line[at + 1] ?? null;
      at += 1;
      if (value === null || byName.has(value))
        throw new WrongUsage(`${option.long} needs a value: ${formatOption(option)}.`);
    }
    if (value?.trim() === '') throw new WrongUsage(`${option.long} must not be blank: ${formatOption(option)}.`);
    if (option.repeatable !== true && option.value !== undefined && options.some((one) => one.name === option.long))
      throw new WrongUsage(`${option.long} is given twice. Keep one of them.`);
    options.push({ name: option.long, value });
  }
  checkPositionals(usage, positionals);
  return { options, positionals };
}

function checkPositionals({ name, positionals: taken = [] }: Usage, positionals: readonly string[]): void {
  const missing = taken.filter((one) => one.name.startsWith('<'))[positionals.length];
  if (missing !== undefined) throw new WrongUsage(`${name} needs ${missing.name}. Run ${name} --help.`);
  const excess = positionals[taken.length];
  if (excess === undefined) return;
  const quote = taken.some((one) => one.name === '[prompt]') ? ' Put the prompt into quotes.' : '';
  throw new WrongUsage(
    `${name} takes ${describeCount(taken.length)}; ${JSON.stringify(excess)} is one too many.${quote}`,
  );
}

function describeCount(positionals: number): string {
  return positionals === 0 ? 'only options' : positionals === 1 ? 'one argument' : `${positionals} arguments`;
}

function namesOf({ long, short }: Option): readonly string[] {
  return short === undefined ? [long] : [long, short];
}

function formatOption({ long, value }: Option): string {
  return value === undefined ? long : `${long} ${value}`;
}

/** What a misspelt option may have been meant to be. */
function hint({ name, options }: Usage, wrong: string): string {
  const plain = (text: string): string => text.replaceAll(/[^a-z]/gi, '').toLowerCase();
  const near =
    options.find(({ long }) => plain(long) === plain(wrong) || (wrong.length > 4 && long.startsWith(wrong))) ??
    options.find(({ long }) => wrong.length > 4 && editsBetween(long, wrong, 2) <= 2);
  return near === undefined ? ` Run ${name} --help for its options.` : ` Did you mean ${near.long}?`;
}

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

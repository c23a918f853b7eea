import type { Context } from '../../process/context.ts';
import { WrongUsage } from '../../process/fault.ts';

/** An option of a command line. */
export interface Option {
  readonly long: `--${string}`;
  readonly short?: `-${string}`;
  /** Name of its value in the help, `<file>`. Without one it is a switch. */
  readonly value?: `<${string}>` | `[${string}]`;
  /** Its value may be left out: the next word is one only where it matches. Then `value` stands in square brackets. */
  readonly optional?: RegExp;
  readonly repeatable?: boolean;
  /** What it does: one line, lower case, no full stop. */
  readonly about: string;
}

/** What a command takes: its help is made of this, and its words are read by it. */
export interface Usage {
  /** `gw` or `gw <command>`. */
  readonly name: string;
  /** One or two sentences. */
  readonly purpose: string;
  readonly options: readonly Option[];
  /** Positional arguments, as the usage line shows them: `[prompt]`, `<file>`. */
  readonly positionals?: readonly { readonly name: `[${string}]` | `<${string}>`; readonly about: string }[];
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** Paragraphs after the options: exit codes, what is written where. */
  readonly notes?: readonly string[];
}

/** The arguments of a command line, parsed by its `Usage`. Values are never blank. */
export interface Given {
  /** In the order of the command line; a switch has no value. */
  readonly options: readonly { readonly name: string; readonly value: string | null }[];
  readonly positionals: readonly string[];
}

/** A command that is ready to be called. */
export interface Command {
  readonly usage: Usage;
  /** Throws `WrongUsage` before anything is done. Resolves with the exit code. */
  start(given: Given, context: Context): Promise<number>;
}

/**
 * Defines a command: `parse` checks what is given and throws `WrongUsage`; `run` does the work and resolves with the
 * exit code. `run` imports its module, so that help and refusals load nothing else.
 */
export function defineCommand<Options>(command: {
  readonly usage: Usage;
  parse(given: Given): Options;
  run(context: Context, options: Options): Promise<number>;
}): Command {
  return { usage: command.usage, start: async (given, context) => command.run(context, command.parse(given)) };
}

export function isGiven(given: Given, name: string): boolean {
  return given.options.some((option) => option.name === name);
}

/** The value of an option that is given once at most; null without it. */
export function valueOf(given: Given, name: string): string | null {
  return given.options.find((option) => option.name === name)?.value ?? null;
}

export function valuesOf(given: Given, name: string): readonly string[] {
  return given.options.filter((option) => option.name === name).map(({ value }) => value ?? '');
}

/** Exit codes of every command (client-1). */
export const EXIT = {
  done: 0,
  /** The run failed: engine, network, tool machinery, limit of steps. */
  failed: 1,
  wrongUsage: 2,
  /** Done, but a tool that the model asked for was denied. */
  denied: 3,
  /** The gateway refused: 401, 402, 403. */
  refused: 4,
  interrupted: 130,
} as const;

/**
 * The value of an option that must be a whole number.
 * @param least smallest accepted number; `most` is the largest.
 * @public
 */
export function wholeNumber(given: Given, name: string, otherwise: number, least: number, most: number): number {
  const value = valueOf(given, name);
  if (value === null) return otherwise;
  const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= least && number <= most))
    throw new WrongUsage(`${name} must be a whole number from ${least} to ${most}, not ${JSON.stringify(value)}.`);
  return number;
}

/** The value of an option that must be one of a list; null without it. */
export function oneOf<const Values extends readonly string[]>(
  given: Given,
  name: string,
  values: Values,
): Values[number] | null {
  const value = valueOf(given, name);
  if (value === null || values.includes(value)) return value;
  throw new WrongUsage(`${name} must be ${values.join(' or ')}, not ${JSON.stringify(value)}.`);
}

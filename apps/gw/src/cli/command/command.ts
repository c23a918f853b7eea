import type { Context } from '../../process/context.ts';

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

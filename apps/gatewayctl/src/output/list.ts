import { type Context, print } from '../context/context.ts';
import { WrongUsage } from '../context/fault.ts';
import { table } from './table.ts';

/** The option of every command that prints a list. */
export const LIMIT = ['--limit <number>', 'show at most this many'] as const;

/** What a command lists, and how a person reads it. */
export interface Listing<Value> {
  readonly header: readonly string[];
  readonly values: readonly Value[];
  readonly row: (value: Value) => readonly string[];
  /** The sentence for an empty list. */
  readonly none: string;
}

/** Prints a list, cut at `--limit`, as a table that fits the terminal; says how many there are where some are left out. */
export async function printList<Value>(
  context: Context,
  { header, values, row, none }: Listing<Value>,
  limit: string | undefined,
): Promise<void> {
  const shown = values.slice(0, checkLimit(limit));
  if (shown.length === 0) return print(context, shown, [none]);
  const lines = table(header, shown.map(row), context.terminal.columns);
  const left = values.length - shown.length;
  const note = left === 0 ? [] : [`${shown.length} of ${values.length} shown. Raise --limit to see more.`];
  await print(context, shown, [...lines, ...note]);
}

/** @throws WrongUsage for what is no whole number from 1 on */
export function checkLimit(limit: string | undefined): number | undefined {
  if (limit === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(limit)) return Number(limit);
  throw new WrongUsage(`--limit takes a whole number from 1 on, not "${limit}".`);
}

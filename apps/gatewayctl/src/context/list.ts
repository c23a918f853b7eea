import { legible } from '@gateway/contract/legible';
import { type Context, print, WrongUsage } from './context.ts';

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

/** Narrower than this a column says nothing any more. */
const NARROWEST = 8;
const GAP = 2;

/**
 * Columns as a person reads them, each as wide as its widest value.
 * Invisible characters in values are written out.
 * @param columns width of the terminal: the widest columns are cut so that a line fits. Null cuts nothing
 */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  columns: number | null,
): readonly string[] {
  const all = [header, ...rows.map((row) => row.map(legible))];
  const natural = header.map((_, column) => all.reduce((most, row) => Math.max(most, row[column]?.length ?? 0), 0));
  const widths = columns === null ? natural : fitWidths(natural, columns - GAP * (header.length - 1));
  return all.map((row) =>
    row
      .map((value, column) => cut(value, widths[column] ?? 0).padEnd(widths[column] ?? 0))
      .join(' '.repeat(GAP))
      .trimEnd(),
  );
}

/** The widths, of which the widest are lowered to one level at which all fit. */
function fitWidths(widths: readonly number[], room: number): readonly number[] {
  const sum = (level: number): number => widths.reduce((total, width) => total + Math.min(width, level), 0);
  let level = Math.max(NARROWEST, ...widths);
  while (level > NARROWEST && sum(level) > room) level -= 1;
  return widths.map((width) => Math.min(width, level));
}

function cut(value: string, width: number): string {
  return value.length <= width ? value : `${value.slice(0, width - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

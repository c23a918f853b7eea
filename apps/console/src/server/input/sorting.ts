import type { Page, Sorted, SortType } from '@gateway/database/console';
import * as z from 'zod';

/** The columns by which a list may be sorted, in addition to its own order. */
export interface Sortable {
  /** The list's own order, as one asks for it: `username`, or `-at` for the newest first. */
  readonly usual: string;
  readonly columns: Readonly<Record<string, SortType>>;
}

/** A requested order, and its parameters for the statement. */
export interface Ordering extends Pick<Page<unknown>, 'reversed'> {
  readonly asked: string;
  readonly sorted: Omit<Sorted, 'past'> | null;
}

/** Everything one may ask a list to be sorted by. */
function namesOf({ usual, columns }: Sortable): readonly string[] {
  const own = usual.replace(/^-/, '');
  return [own, ...Object.keys(columns)].flatMap((name) => [name, `-${name}`]);
}

/** What an order means; undefined where the list does not know it, or goes by it anyway. */
export function orderingOf(asked: string, sortable: Sortable): Ordering | undefined {
  if (asked === sortable.usual || !namesOf(sortable).includes(asked)) return undefined;
  const descending = asked.startsWith('-');
  const column = descending ? asked.slice(1) : asked;
  const type = sortable.columns[column];
  if (type === undefined) return { asked, reversed: true, sorted: null };
  return { asked, reversed: false, sorted: { column, type, descending } };
}

/** `sort` of a list: the name of a column, and `-` before it for the greatest first. */
export const sortOf = (sortable: Sortable) =>
  z
    .enum(namesOf(sortable))
    .transform((asked) => orderingOf(asked, sortable))
    .optional();

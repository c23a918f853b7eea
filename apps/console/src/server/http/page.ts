import { isStorable, isStorableInstant } from '@gateway/contract';
import type { Page, Sorted, SortedRow, SortType } from '@gateway/database/client/pages';
import * as z from 'zod';

/** The columns by which a list may be sorted, in addition to its own order. */
interface Sortable {
  /** The list's own order, as one asks for it: `username`, or `-at` for the newest first. */
  readonly usual: string;
  readonly columns: Readonly<Record<string, SortType>>;
}

/** A requested order, and its parameters for the statement. */
interface Ordering extends Pick<Page<unknown>, 'reversed'> {
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
const sortOf = (sortable: Sortable) =>
  z
    .enum(namesOf(sortable))
    .transform((asked) => orderingOf(asked, sortable))
    .optional();

const DEFAULT_LIMIT = 50;
const MOST_ROWS = 500;

/**
 * Characters of a cursor. The longest contains a session's name of 800 control characters: six bytes each as JSON, a third more
 * in base64.
 */
const LONGEST_CURSOR = 8000;

/** The start of a page: after the row with this sort key, towards the end of the list or, backwards, towards its beginning. */
interface Cursor<Key> extends Pick<Page<Key>, 'after' | 'backwards'> {
  /** The order it leads through, where that is not the list's own. */
  readonly ordering?: Ordering | undefined;
  /** The position in the order of a column. */
  readonly past?: readonly [string, string] | null;
}

/** A requested page, in its order. */
export type AskedPage<Key> = Page<Key> & { readonly limit: number; readonly ordering?: Ordering | undefined };

/** What a row is sorted by. */
export type SortKey = readonly (string | number | Date)[];

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant that fits a cursor. A modified log may contain one beyond every calendar: it counts as the last valid instant. */
function instantOf(at: Date): string {
  const isKept = at.getTime() <= LAST_INSTANT && isStorableInstant(at.toISOString());
  return (isKept ? at : new Date(LAST_INSTANT)).toISOString();
}

/** A list's plural, its order where that is not its own, and a sort key or `{before}` one; before none is the end of the list. Opaque to callers. */
const orderingText = (plural: string, ordering: Ordering | undefined, value: unknown): string =>
  Buffer.from(JSON.stringify([nameOf(plural, ordering), value])).toString('base64url');
const nameOf = (plural: string, ordering: Ordering | undefined): string =>
  ordering === undefined ? plural : `${plural} ${ordering.asked}`;

/**
 * Reads a `next` or `previous` of this list. Many lists are sorted by a text, and a position in one means nothing in another
 * list or order. `key` is the shape of a row's sort key.
 */
function cursorOf<Key extends readonly z.ZodType[]>(
  plural: string,
  key: z.ZodTuple<Key, null>,
  sortable: Sortable | undefined,
) {
  const position = <Value>(shape: z.ZodType<Value>) =>
    z.union([
      shape.transform((after: Value) => ({ after: after as Value | null, backwards: false })),
      z.strictObject({ before: shape.nullable() }).transform(({ before }) => ({ after: before, backwards: true })),
    ]);
  const usual = z.tuple([z.string(), position(key)]);
  const byColumn = z.tuple([z.string(), position(SORTED_KEY)]);
  const read = (parsed: unknown): Cursor<z.output<z.ZodTuple<Key, null>>> | undefined => {
    const name = Array.isArray(parsed) ? String(parsed[0]) : '';
    const ordering = sortable && orderingOf(name.slice(plural.length + 1), sortable);
    if (name !== nameOf(plural, ordering)) return undefined;
    if (ordering?.sorted != null) {
      const [, past] = byColumn.safeParse(parsed).data ?? [];
      return past && { after: null, backwards: past.backwards, past: past.after, ordering };
    }
    const [, found] = usual.safeParse(parsed).data ?? [];
    return found && { ...found, ...(ordering && { ordering }) };
  };
  return z
    .string()
    .max(LONGEST_CURSOR)
    .transform((text, context) => {
      try {
        const cursor = read(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
        const parts: readonly unknown[] = [...(cursor?.after ?? []), ...(cursor?.past ?? [])];
        if (cursor && parts.every((part) => typeof part !== 'string' || isStorable(part))) return cursor;
      } catch {
        // Not even JSON: said below.
      }
      context.addIssue({ code: 'custom', message: 'must be the value of "next" or "previous" in another page' });
      return z.NEVER;
    });
}

/** The position of a row in the order of a column, as the statement returns it. */
const SORTED_KEY = z.tuple([z.string(), z.string()]);

/** `limit` and `cursor` of the list `pageOf` gives under `plural` (console-9); `key` is the shape of a row's sort key. */
export function paging<Key extends readonly z.ZodType[]>(
  plural: string,
  key: z.ZodTuple<Key, null>,
  sortable?: Sortable,
) {
  return {
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${MOST_ROWS}`)
      .transform(Number)
      .refine((rows) => rows <= MOST_ROWS, `must be a whole number from 1 to ${MOST_ROWS}`)
      .default(DEFAULT_LIMIT),
    cursor: cursorOf(plural, key, sortable).optional(),
  };
}

/** The same for a list that is also sorted by its columns. A cursor continues in the order of its page. */
export function sortedPagingSchema<Key extends readonly z.ZodType[]>(
  plural: string,
  key: z.ZodTuple<Key, null>,
  sortable: Sortable,
) {
  return { ...paging(plural, key, sortable), sort: sortOf(sortable) };
}

/** The page that a query asks for, the list's first one where it names none. */
export function pageAsked<Key>({
  limit,
  sort,
  cursor = { after: null, ordering: sort },
}: {
  readonly limit: number;
  readonly sort?: Ordering | undefined;
  readonly cursor?: Cursor<Key> | undefined;
}): AskedPage<Key> {
  const { ordering, past = null, ...position } = cursor;
  if (ordering === undefined) return { limit, ...position };
  const sorted = ordering.sorted && { ...ordering.sorted, past };
  return { limit, ...position, ordering, sorted, reversed: ordering.reversed ?? false };
}

/** A row, and its position where the list is sorted by a column. */
function splitPosition(row: unknown): { readonly row: object; readonly key: readonly string[] | null } {
  const { sortValue, sortTie, ...rest } = row as Partial<SortedRow>;
  if (sortValue === undefined || sortTie === undefined) return { row: row as object, key: null };
  return { row: rest, key: [sortValue, sortTie] };
}

/**
 * One page out of the `limit + 1` rows read, in the order of the list: the extra row shows that another page follows. The first
 * page has no `previous`; an empty page after the last row has one.
 * @returns `{<plural>: rows, next: cursor|null}` (console-9), and `previous: cursor|null` where a cursor was asked for
 */
export function pageOf<Row>(
  plural: string,
  rows: readonly Row[],
  { limit, after, backwards = false, sorted, ordering }: AskedPage<unknown>,
  keyOf: (row: Row) => SortKey,
  shape: (row: Row) => unknown = (row) => row,
): Record<string, unknown> {
  const kept = backwards ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  const [first] = kept;
  const keyTo = (row: Row) =>
    splitPosition(row).key ?? keyOf(row).map((part) => (part instanceof Date ? instantOf(part) : part));
  const last = kept.at(-1);
  const isMore = rows.length > limit;
  const shown = kept.map((row) => shape(splitPosition(row).row as Row));
  const next = last !== undefined && (backwards || isMore) ? orderingText(plural, ordering, keyTo(last)) : null;
  if (after === null && sorted?.past == null && !backwards) return { [plural]: shown, next };
  const isBegun = backwards && !isMore;
  return {
    [plural]: shown,
    next,
    previous: isBegun ? null : orderingText(plural, ordering, { before: first === undefined ? null : keyTo(first) }),
  };
}

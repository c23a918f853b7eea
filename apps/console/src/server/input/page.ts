import { isStorable, isStorableInstant } from '@gateway/contract';
import type { Page } from '@gateway/database/console';
import * as z from 'zod';

const DEFAULT_LIMIT = 50;
const MOST_ROWS = 500;

/** Characters of a cursor. The longest holds a session's name of 800 control characters: six bytes each as JSON, a third more in base64. */
const LONGEST_CURSOR = 8000;

/** Where a page lies: past the row with this sort key, towards the end of the list or, backwards, towards its beginning. */
type Cursor<Key> = Omit<Page<Key>, 'limit'>;

/** What a row is sorted by. */
export type SortKey = readonly (string | number | Date)[];

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant that a cursor takes. A log that somebody wrote into may hold one beyond every calendar: it counts as the last there is. */
function instantOf(at: Date): string {
  const isKept = at.getTime() <= LAST_INSTANT && isStorableInstant(at.toISOString());
  return (isKept ? at : new Date(LAST_INSTANT)).toISOString();
}

/** A list's plural with a sort key, or with `{before}` one; before none is the end of the list. Opaque to callers. */
const textOf = (plural: string, value: unknown): string =>
  Buffer.from(JSON.stringify([plural, value])).toString('base64url');

/**
 * Reads what `pageOf` gave of this list as `next` or `previous`: many lists are sorted by a text, and one's place means nothing in
 * another. `key` is the shape of a row's sort key.
 */
function cursorOf<Key extends readonly z.ZodType[]>(plural: string, key: z.ZodTuple<Key, null>) {
  const place = z.union([
    key.transform((after) => ({ after, backwards: false })),
    z.strictObject({ before: key.nullable() }).transform(({ before }) => ({ after: before, backwards: true })),
  ]);
  const cursor = z.tuple([z.literal(plural), place]).transform(([, read]) => read);
  return z
    .string()
    .max(LONGEST_CURSOR)
    .transform((text, context) => {
      try {
        const parsed = cursor.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
        const parts: readonly unknown[] = parsed.data?.after ?? [];
        if (parsed.success && parts.every((part) => typeof part !== 'string' || isStorable(part))) return parsed.data;
      } catch {
        // Not even JSON: said below.
      }
      context.addIssue({ code: 'custom', message: 'must be the value of "next" or "previous" in another page' });
      return z.NEVER;
    });
}

/** `limit` and `cursor` of the list `pageOf` gives under `plural` (decisions §17: default 50, at most 500); `key` is the shape of a row's sort key. */
export function paging<Key extends readonly z.ZodType[]>(plural: string, key: z.ZodTuple<Key, null>) {
  return {
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${MOST_ROWS}`)
      .transform(Number)
      .refine((rows) => rows <= MOST_ROWS, `must be a whole number from 1 to ${MOST_ROWS}`)
      .default(DEFAULT_LIMIT),
    cursor: cursorOf(plural, key).optional(),
  };
}

/** The page that a query asks for, the list's first one where it names none. */
export function pageAsked<Key>({
  limit,
  cursor = { after: null },
}: {
  readonly limit: number;
  readonly cursor?: Cursor<Key> | undefined;
}): Page<Key> & { readonly limit: number } {
  return { limit, ...cursor };
}

/**
 * One page out of the `limit + 1` rows read, in the order of the list: the row too many says that another page lies beyond. The first
 * page has no `previous`; after the last row there is nothing but the end of the list, from which `previous` leads back.
 * @returns `{<plural>: rows, next: cursor|null}` (decisions §14), and `previous: cursor|null` where a cursor was asked for
 */
export function pageOf<Row>(
  plural: string,
  rows: readonly Row[],
  { limit, after, backwards = false }: Page<unknown> & { readonly limit: number },
  keyOf: (row: Row) => SortKey,
  shape: (row: Row) => unknown = (row) => row,
): Record<string, unknown> {
  const kept = backwards ? rows.slice(0, limit).reverse() : rows.slice(0, limit);
  const [first] = kept;
  const keyTo = (row: Row) => keyOf(row).map((part) => (part instanceof Date ? instantOf(part) : part));
  const last = kept.at(-1);
  const isMore = rows.length > limit;
  const shown = kept.map(shape);
  const next = last !== undefined && (backwards || isMore) ? textOf(plural, keyTo(last)) : null;
  if (after === null && !backwards) return { [plural]: shown, next };
  const isBegun = backwards && !isMore;
  return {
    [plural]: shown,
    next,
    previous: isBegun ? null : textOf(plural, { before: first === undefined ? null : keyTo(first) }),
  };
}

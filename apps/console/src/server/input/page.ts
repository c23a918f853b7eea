import { isStorable } from '@gateway/contract';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const MOST_ROWS = 500;

/** Where a page begins: the sort key of the last row of the page before it, opaque to callers. */
function cursorOf<Key extends readonly z.ZodType[]>(key: z.ZodTuple<Key, null>) {
  return z
    .string()
    .max(2000)
    .transform((text, context) => {
      try {
        const parsed = key.safeParse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
        if (parsed.success && parsed.data.every((part) => typeof part !== 'string' || isStorable(part)))
          return parsed.data;
      } catch {
        // Not even JSON: said below.
      }
      context.addIssue({ code: 'custom', message: 'must be the value of "next" in the page before' });
      return z.NEVER;
    });
}

/** `limit` and `cursor` of a list (decisions §17: default 50, at most 500); `key` is the shape of a row's sort key. */
export function paging<Key extends readonly z.ZodType[]>(key: z.ZodTuple<Key, null>) {
  return {
    limit: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, `must be a whole number from 1 to ${MOST_ROWS}`)
      .transform(Number)
      .refine((rows) => rows <= MOST_ROWS, `must be a whole number from 1 to ${MOST_ROWS}`)
      .default(DEFAULT_LIMIT),
    cursor: cursorOf(key).optional(),
  };
}

/**
 * One page out of `limit + 1` rows read: the row too many says that there is a next page.
 * @returns `{<plural>: rows, next: cursor|null}` (decisions §14)
 */
export function pageOf<Row>(
  plural: string,
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
): Record<string, unknown> {
  const kept = rows.slice(0, limit);
  const last = kept.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { [plural]: kept, next: more ? Buffer.from(JSON.stringify(keyOf(last))).toString('base64url') : null };
}

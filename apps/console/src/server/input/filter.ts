import { isStorableInstant } from '@gateway/contract';
import * as z from 'zod';

/** An instant of a filter or of a sort key: ISO 8601 with a zone, read into UTC. */
export const instant = z.iso
  .datetime({ offset: true, error: 'must be an instant such as 2030-01-31T00:00:00Z', abort: true })
  .refine(isStorableInstant, { error: 'must lie in the years 1 to 9999', abort: true })
  .transform((text) => new Date(text).toISOString());

/** An instant that is still to come. */
export const futureInstant = instant.refine((at) => Date.parse(at) > Date.now(), 'must lie in the future');

/** Exactly this value. */
export const exactly = z.string().min(1, 'must not be empty').max(1000).optional();

/** A part of a name that is searched for. */
export const searchText = z.string().min(1).max(200).optional();

/** From this instant on, and before that one. */
export const period = { from: instant.optional(), until: instant.optional() };

/** Every name asked for, null where it was not: statements take a whole filter. */
export function filterOf<Name extends string, Query extends { readonly [Key in Name]?: unknown }>(
  query: Query,
  names: readonly Name[],
): { [Key in Name]: Exclude<Query[Key], undefined> | null } {
  return Object.fromEntries(names.map((name) => [name, query[name] ?? null])) as {
    [Key in Name]: Exclude<Query[Key], undefined> | null;
  };
}

/** One entry of a log by its position. */
export const sequence = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)
  .optional();

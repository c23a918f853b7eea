import { isStorableInstant } from '@gateway/contract';
import { faultsIn } from '@gateway/contract/fields';
import type { ZodError } from 'zod';
import * as z from 'zod';

/** One sentence a faulty field, named by its path (`document.tools.allow.0`). */
export function fieldsOf(error: ZodError): Record<string, string> {
  // No prototype: a member called __proto__ is a name like any other.
  const fields: Record<string, string> = Object.create(null);
  for (const { path, sentence } of faultsIn(error)) fields[path.join('.') || 'body'] ??= sentence;
  return fields;
}

/** A yes or no in a query string. */
export const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true');

/** The members present in a body: an absent one must not overwrite a stored value. */
export function present<Body extends object>(body: Body): { [Name in keyof Body]: Exclude<Body[Name], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Body]: Exclude<Body[Name], undefined>;
  };
}

/** A reference to another thing, by its id. Whether there is such a thing is for the database to say. */
export const reference = z.guid('must be the id of one that exists').toLowerCase();

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

import { ScimFault, scimResponse } from './answers.ts';
import { type Filter, matches, parseFilter } from './filter.ts';
import { project } from './projection.ts';
import { listOf, MOST_RESULTS } from './schemas.ts';
import type { Members } from './user.ts';

/** A part of a list, counted from 0. */
export interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** How resources of one kind are read. A lookup is what the database finds; other filters are evaluated here. */
export interface Listing<Lookup> {
  readonly lookupOf: (filter: Filter) => Lookup | null;
  readonly count: (lookup: Lookup | null) => Promise<number>;
  readonly read: (lookup: Lookup | null, part: Part | null) => Promise<readonly Members[]>;
}

/** Answers a list with `filter`, `startIndex`, `count` and the requested attributes (RFC 7644, section 3.4.2). */
export async function answerList<Lookup>(query: URLSearchParams, listing: Listing<Lookup>): Promise<Response> {
  const startIndex = Math.max(1, wholeNumber(query, 'startIndex', 1));
  const count = Math.min(MOST_RESULTS, Math.max(0, wholeNumber(query, 'count', MOST_RESULTS)));
  const text = query.get('filter')?.trim() ?? '';
  const filter = text === '' ? null : parseFilter(text);
  const lookup = filter === null ? null : listing.lookupOf(filter);
  const part = { offset: startIndex - 1, limit: count };
  const answer = (found: readonly Members[], total: number): Response =>
    scimResponse(
      200,
      listOf(
        found.map((one) => project(one, query)),
        total,
        startIndex,
      ),
    );
  if (filter === null || lookup !== null) {
    const total = await listing.count(lookup);
    return answer(count === 0 ? [] : await listing.read(lookup, part), total);
  }
  const found = (await listing.read(null, null)).filter((one) => matches(filter, one));
  return answer(found.slice(part.offset, part.offset + part.limit), found.length);
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimFault(400, `${name} must be a whole number.`, 'invalidValue');
}

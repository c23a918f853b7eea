import { storable } from '@gateway/contract';
import type { Sql } from '@gateway/database';
import {
  countProvisionedUsers,
  listProvisionedUsers,
  type ProvisionedUser,
  type ProvisionedUserLookup,
} from '@gateway/database/console';
import { noContent, ScimFault, scimResponse } from './answers.ts';
import { type Filter, matches, parseFilter, project, withoutSchema } from './filter.ts';
import { applyPatch } from './patch.ts';
import type { GroupProvisioning, Provisioning } from './provisioning.ts';
import { listOf, MOST_RESULTS, USER } from './schemas.ts';
import { fieldsOf, type Members, member, resourceOf, writableOf } from './user.ts';

/** Dependencies of the routes, for one request. */
export interface ScimRequest {
  readonly database: Sql;
  readonly provisioning: Provisioning;
  readonly groups: GroupProvisioning;
  readonly query: URLSearchParams;
  readonly deadline: number;
  /** The JSON object of the body. */
  readonly body: () => Promise<Members>;
}

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Answers `/Users`. */
export async function answerUsers(method: string, request: ScimRequest): Promise<Response> {
  if (method === 'GET') return listUsers(request);
  if (method !== 'POST') throw notAllowed(method);
  const fields = fieldsOf(ofUser(await request.body()));
  return userResponse(201, await request.provisioning.create(fields, request.deadline), request);
}

/** Answers `/Users/{id}`. */
export async function answerUser(method: string, id: string, request: ScimRequest): Promise<Response> {
  if (!UUID.test(id)) throw new ScimFault(404, 'There is no such user.');
  const { provisioning, deadline } = request;
  switch (method) {
    case 'GET': {
      const [user] = await listProvisionedUsers(request.database, { by: 'id', value: id.toLowerCase() }, null);
      if (user === undefined) throw new ScimFault(404, 'There is no such user.');
      return userResponse(200, user, request);
    }
    case 'PUT': {
      const given = ofUser(await request.body());
      const fields = fieldsOf(given);
      // What a replacement leaves out has its default, but a person is not activated by silence.
      const isSilent = (member(given, 'active') ?? null) === null;
      const put = ({ active }: ProvisionedUser) => (isSilent ? { ...fields, active } : fields);
      return userResponse(200, await provisioning.change(id, put, deadline), request);
    }
    case 'PATCH': {
      const body = await request.body();
      const patch = (before: ProvisionedUser) => {
        const user = writableOf(before);
        applyPatch(user, body);
        return fieldsOf(user);
      };
      return userResponse(200, await provisioning.change(id, patch, deadline), request);
    }
    case 'DELETE':
      await provisioning.remove(id, deadline);
      return noContent();
    default:
      throw notAllowed(method);
  }
}

export function notAllowed(method: string): ScimFault {
  return new ScimFault(405, `${method} is not served here.`);
}

function ofUser(body: Members): Members {
  const schemas = member(body, 'schemas');
  if (Array.isArray(schemas) && schemas.includes(USER)) return body;
  throw new ScimFault(400, `schemas must contain ${USER}.`, 'invalidSyntax');
}

function userResponse(status: number, user: ProvisionedUser, { query }: ScimRequest): Response {
  const resource = resourceOf(user);
  const { location } = resource['meta'] as { readonly location: string };
  return scimResponse(status, project(resource, query), { location });
}

function listUsers({ database, query }: ScimRequest): Promise<Response> {
  return answerList(query, {
    lookupOf,
    count: (lookup) => countProvisionedUsers(database, lookup),
    read: async (lookup, page) => (await listProvisionedUsers(database, lookup, page)).map(resourceOf),
  });
}

const LOOKUPS: Readonly<Record<string, 'id' | 'userName' | 'externalId'>> = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
};

/** What the database finds: identity providers look up one user at a time. */
function lookupOf(filter: Filter): ProvisionedUserLookup | null {
  return emailOf(filter) ?? attributeOf(filter);
}

/** `emails[type eq "work"].value eq "…"`, which Entra ID sends where the e-mail address is the matching attribute. */
function emailOf(filter: Filter): ProvisionedUserLookup | null {
  if (filter.kind !== 'element' || withoutSchema(filter.path).toLowerCase() !== 'emails') return null;
  const [type, value] = filter.filter.kind === 'and' ? [filter.filter.one, filter.filter.other] : [];
  const texts = [type, value].map((part, at) =>
    part?.kind === 'compare' && part.operator === 'eq' && part.path.toLowerCase() === ['type', 'value'][at]
      ? part.value
      : null,
  );
  const [kind, address] = texts;
  if (typeof kind !== 'string' || typeof address !== 'string') return null;
  return { by: 'email', type: storable(kind), value: storable(address) };
}

function attributeOf(filter: Filter): ProvisionedUserLookup | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return null;
  const by = LOOKUPS[withoutSchema(filter.path).toLowerCase()];
  // A text that cannot be stored names nobody.
  return by === undefined || filter.value.includes('\0') ? null : { by, value: filter.value.toWellFormed() };
}

/** A part of a list, counted from 0. */
interface Part {
  readonly offset: number;
  readonly limit: number;
}

/** How resources of one kind are read. A lookup is what the database finds; other filters are evaluated here. */
interface Listing<Lookup> {
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

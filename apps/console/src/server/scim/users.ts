import type { Sql } from '@gateway/database';
import {
  countProvisionedUsers,
  listProvisionedUsers,
  type ProvisionedUser,
  type ProvisionedUserLookup,
} from '@gateway/database/console';
import { noContent, ScimFault, scimResponse } from './answers.ts';
import { type Filter, matches, parseFilter, withoutSchema } from './filter.ts';
import { applyPatch } from './patch.ts';
import { project } from './projection.ts';
import type { Provisioning } from './provisioning.ts';
import { listOf, MOST_RESULTS, USER } from './schemas.ts';
import { fieldsOf, type Members, member, resourceOf, writableOf } from './user.ts';

/** Dependencies of the routes of users, for one request. */
export interface UserRequest {
  readonly database: Sql;
  readonly provisioning: Provisioning;
  readonly query: URLSearchParams;
  readonly deadline: number;
  /** The JSON object of the body. */
  readonly body: () => Promise<Members>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Answers `/Users`. */
export async function answerUsers(method: string, request: UserRequest): Promise<Response> {
  if (method === 'GET') return listUsers(request);
  if (method !== 'POST') throw notAllowed(method);
  const fields = fieldsOf(ofUser(await request.body()));
  return userResponse(201, await request.provisioning.create(fields, request.deadline), request);
}

/** Answers `/Users/{id}`. */
export async function answerUser(method: string, id: string, request: UserRequest): Promise<Response> {
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

function notAllowed(method: string): ScimFault {
  return new ScimFault(405, `${method} is not served here.`);
}

function ofUser(body: Members): Members {
  const schemas = member(body, 'schemas');
  if (Array.isArray(schemas) && schemas.includes(USER)) return body;
  throw new ScimFault(400, `schemas must contain ${USER}.`, 'invalidSyntax');
}

function userResponse(status: number, user: ProvisionedUser, { query }: UserRequest): Response {
  const resource = resourceOf(user);
  const { location } = resource['meta'] as { readonly location: string };
  return scimResponse(status, project(resource, query), { location });
}

async function listUsers({ database, query }: UserRequest): Promise<Response> {
  const startIndex = Math.max(1, wholeNumber(query, 'startIndex', 1));
  const count = Math.min(MOST_RESULTS, Math.max(0, wholeNumber(query, 'count', MOST_RESULTS)));
  const text = query.get('filter')?.trim() ?? '';
  const filter = text === '' ? null : parseFilter(text);
  const lookup = filter === null ? null : lookupOf(filter);
  const page = { offset: startIndex - 1, limit: count };
  if (filter === null || lookup !== null) {
    const total = await countProvisionedUsers(database, lookup);
    const users = count === 0 ? [] : await listProvisionedUsers(database, lookup, page);
    return scimResponse(
      200,
      listOf(
        users.map((user) => project(resourceOf(user), query)),
        total,
        startIndex,
      ),
    );
  }
  const found = (await listProvisionedUsers(database, null, null))
    .map(resourceOf)
    .filter((one) => matches(filter, one));
  const part = found.slice(page.offset, page.offset + page.limit);
  return scimResponse(
    200,
    listOf(
      part.map((one) => project(one, query)),
      found.length,
      startIndex,
    ),
  );
}

const LOOKUPS: Readonly<Record<string, ProvisionedUserLookup['by']>> = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
};

/** What an index finds: identity providers look up one user at a time. */
function lookupOf(filter: Filter): ProvisionedUserLookup | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return null;
  const by = LOOKUPS[withoutSchema(filter.path).toLowerCase()];
  // A text that cannot be stored names nobody.
  return by === undefined || filter.value.includes('\0') ? null : { by, value: filter.value.toWellFormed() };
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  throw new ScimFault(400, `${name} must be a whole number.`, 'invalidValue');
}

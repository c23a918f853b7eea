import { createHash, timingSafeEqual } from 'node:crypto';
import { refusal, storable } from '@gateway/contract';
import type { Sql } from '@gateway/database';
import { isUnavailability } from '@gateway/database/client/unavailable';
import {
  countProvisionedGroups,
  countProvisionedUsers,
  listGroupMembers,
  listProvisionedGroups,
  listProvisionedUsers,
  type ProvisionedGroup,
  type ProvisionedGroupLookup,
  type ProvisionedUser,
  type ProvisionedUserLookup,
} from '@gateway/domain/account/console-provisioned';
import { within } from '../http/answers.ts';
import { readJsonObject } from '../http/body.ts';
import { readProof, SignInThrottle } from '../http/caller.ts';
import { isRecorded } from '../http/decisions.ts';
import type { Services } from '../http/services.ts';
import { faultAnswer, noContent, ScimFault, scimResponse } from './answers.ts';
import { type Filter, matches, parseFilter, project, withoutSchema } from './filter.ts';
import { applyPatch } from './patch.ts';
import {
  GroupProvisioning,
  groupOf,
  groupResource,
  Provisioning,
  type ProvisioningRules,
  patchedGroup,
  unknownGroup,
} from './provisioning.ts';
import { BASE, discover, listOf, MOST_RESULTS, USER } from './schemas.ts';
import { fieldsOf, type Members, member, resourceOf, writableOf } from './user.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const USER_LOOKUPS: Readonly<Record<string, 'id' | 'userName' | 'externalId'>> = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
};

/** Answers `/Groups`. */
async function answerGroups(method: string, request: ScimRequest): Promise<Response> {
  if (method === 'GET') return listGroups(request);
  if (method !== 'POST') throw notAllowed(method);
  const group = groupOf(await request.body());
  return groupResponse(201, await request.groups.create(group, request.deadline), request);
}

/** Answers `/Groups/{id}`. */
async function answerGroup(method: string, id: string, request: ScimRequest): Promise<Response> {
  if (!UUID.test(id)) throw unknownGroup();
  const { groups, deadline } = request;
  switch (method) {
    case 'GET': {
      const [group] = await listProvisionedGroups(request.database, { by: 'id', value: id.toLowerCase() }, null);
      if (group === undefined) throw unknownGroup();
      return groupResponse(200, group, request);
    }
    case 'PUT': {
      const given = groupOf(await request.body());
      return groupResponse(200, await groups.change(id, () => given, deadline), request);
    }
    case 'PATCH': {
      const body = await request.body();
      await groups.change(id, (before) => patchedGroup(before, body), deadline);
      // Entra ID and Okta expect no body: a group of thousands would be sent back for each member.
      return noContent();
    }
    case 'DELETE':
      await groups.remove(id, deadline);
      return noContent();
    default:
      throw notAllowed(method);
  }
}

async function groupResponse(status: number, group: ProvisionedGroup, request: ScimRequest): Promise<Response> {
  const [resource = {}] = await withMembers([group], request);
  const { location } = resource['meta'] as { readonly location: string };
  return scimResponse(status, project(resource, request.query), { location });
}

/** The groups as resources; members are read only where they are shown. */
async function withMembers(
  groups: readonly ProvisionedGroup[],
  { database, query }: ScimRequest,
): Promise<readonly Members[]> {
  const names = (query.get('excludedAttributes') ?? '').split(',').map((name) => withoutSchema(name.trim()));
  if (names.some((name) => name.toLowerCase() === 'members')) return groups.map((group) => groupResource(group, null));
  const members = await listGroupMembers(
    database,
    groups.map(({ id }) => id),
  );
  const byGroup = Map.groupBy(members, ({ group }) => group);
  return groups.map((group) => groupResource(group, byGroup.get(group.id) ?? []));
}

function listGroups(request: ScimRequest): Promise<Response> {
  const { database, query } = request;
  return answerList(query, {
    lookupOf: groupLookupOf,
    count: (lookup) => countProvisionedGroups(database, lookup),
    async read(lookup, part) {
      const groups = await listProvisionedGroups(database, lookup, part);
      // A filter that is evaluated here may look at members.
      return withMembers(groups, part === null ? { ...request, query: new URLSearchParams() } : request);
    },
  });
}

const GROUP_LOOKUPS: Readonly<Record<string, ProvisionedGroupLookup['by']>> = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
};

/** What the database finds: identity providers look up one group at a time. */
function groupLookupOf(filter: Filter): ProvisionedGroupLookup | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return null;
  const by = GROUP_LOOKUPS[withoutSchema(filter.path).toLowerCase()];
  // A text that cannot be stored names nothing.
  return by === undefined || filter.value.includes('\0') ? null : { by, value: filter.value.toWellFormed() };
}

/** What an identity provider needs to provision users. */
export interface ScimConfiguration extends ProvisioningRules {
  readonly token: string;
}

/** How long the work of a request may take. */
const WORK_MILLISECONDS = 30_000;

/** Parts of the protocol that RFC 7644 leaves to choice: bulk requests, search by POST, and the user of the token. */
const OPTIONAL = /^\/(?:Bulk|Me|(?:(?:Users|Groups)\/)?\.search)$/;

const RESOURCES = new Map([
  ['Users', { all: answerUsers, one: answerUser }],
  ['Groups', { all: answerGroups, one: answerGroup }],
]);

/** Handles addresses below `/scim/v2`; undefined for every other address. */
export type Scim = (request: Request, sourceAddress: string | null) => Promise<Response | undefined>;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** SCIM 2.0 (RFC 7643, RFC 7644) behind a token of its own, which opens nothing else. */
export function createScim(
  { token, ...rules }: ScimConfiguration,
  services: Services,
  onFault: (error: unknown) => void,
): Scim {
  const expected = digest(token);
  const throttle = new SignInThrottle(Date.now);
  const provisioning = new Provisioning(services, rules);
  const groups = new GroupProvisioning(services);

  /** @throws ScimFault where the token is missing or wrong, or too many were wrong from there */
  async function authenticate(request: Request, sourceAddress: string | null): Promise<void> {
    const seconds = throttle.secondsToWait(sourceAddress);
    if (seconds > 0) {
      throw new ScimFault(429, 'Too many refused tokens came from this address.', null, {
        'retry-after': String(seconds),
      });
    }
    const proof = readProof(request.headers);
    if (proof?.kind === 'key' && timingSafeEqual(digest(proof.key), expected)) return;
    const challenge = { 'www-authenticate': 'Bearer realm="scim"' };
    if (proof === null) throw new ScimFault(401, 'The provisioning token is missing.', null, challenge);
    throttle.failed(sourceAddress);
    const refused = refusal('key-unknown');
    await isRecorded(services, {
      right: { permission: 'attributions:administrer' },
      project: undefined,
      subject: null,
      credential: 'token',
      decided: { granted: false, refused, reason: 'key-unknown', detail: 'a wrong provisioning token (SCIM)' },
      request,
      sourceAddress,
      at: new Date(),
    });
    throw new ScimFault(401, 'The provisioning token is wrong.', null, challenge);
  }

  async function answer(request: Request, path: string): Promise<Response> {
    const known = discover(path);
    if (known !== null) {
      if (request.method === 'GET') return scimResponse(200, known);
      throw new ScimFault(405, `${request.method} is not served here.`);
    }
    if (OPTIONAL.test(path)) throw new ScimFault(501, `${path} is not supported here. See ServiceProviderConfig.`);
    const [, kind = '', id, ...rest] = path.split('/');
    const resource = RESOURCES.get(kind);
    if (resource === undefined || rest.length > 0) throw new ScimFault(404, 'There is no such resource here.');
    const deadline = performance.now() + WORK_MILLISECONDS;
    const query = new URL(request.url).searchParams;
    const { database } = services;
    const given = { database, provisioning, groups, query, deadline, body: () => bodyOf(request) };
    const work =
      id === undefined || id === '' ? resource.all(request.method, given) : resource.one(request.method, id, given);
    return within(WORK_MILLISECONDS, work);
  }

  return async (request, sourceAddress) => {
    const { pathname } = new URL(request.url);
    if (pathname !== BASE && !pathname.startsWith(`${BASE}/`)) return undefined;
    try {
      await authenticate(request, sourceAddress);
      return await answer(request, decode(pathname.slice(BASE.length)));
    } catch (error) {
      if (error instanceof ScimFault) return faultAnswer(error);
      onFault(error);
      const isSilent = isUnavailability(error);
      return faultAnswer(
        isSilent
          ? new ScimFault(503, 'The database gave no answer. Try again.')
          : new ScimFault(500, 'The console failed. Its log has the cause.'),
      );
    }
  };
}

/** A path as it was meant: clients encode the colons of a schema's URN. */
function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    throw new ScimFault(404, 'There is no such resource here.');
  }
}

const MEDIA_TYPES = /^application\/(scim\+)?json\s*(;|$)/i;

async function bodyOf(request: Request): Promise<Members> {
  if (!MEDIA_TYPES.test(request.headers.get('content-type') ?? '')) {
    throw new ScimFault(415, 'The body must be application/scim+json or application/json.');
  }
  const read = await readJsonObject(request);
  if ('value' in read) return read.value;
  switch (read.fault) {
    case 'too-slow':
      throw new ScimFault(408, 'The body did not arrive completely in time.', null, { connection: 'close' });
    case 'too-large':
      throw new ScimFault(413, 'The body is too large.');
    default:
      throw new ScimFault(400, 'The body is not a JSON object.', 'invalidSyntax');
  }
}

/** Dependencies of the routes, for one request. */
interface ScimRequest {
  readonly database: Sql;
  readonly provisioning: Provisioning;
  readonly groups: GroupProvisioning;
  readonly query: URLSearchParams;
  readonly deadline: number;
  /** The JSON object of the body. */
  readonly body: () => Promise<Members>;
}

/** Answers `/Users`. */
async function answerUsers(method: string, request: ScimRequest): Promise<Response> {
  if (method === 'GET') return listUsers(request);
  if (method !== 'POST') throw notAllowed(method);
  const fields = fieldsOf(ofUser(await request.body()));
  return userResponse(201, await request.provisioning.create(fields, request.deadline), request);
}

/** Answers `/Users/{id}`. */
async function answerUser(method: string, id: string, request: ScimRequest): Promise<Response> {
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

function userResponse(status: number, user: ProvisionedUser, { query }: ScimRequest): Response {
  const resource = resourceOf(user);
  const { location } = resource['meta'] as { readonly location: string };
  return scimResponse(status, project(resource, query), { location });
}

function listUsers({ database, query }: ScimRequest): Promise<Response> {
  return answerList(query, {
    lookupOf: userLookupOf,
    count: (lookup) => countProvisionedUsers(database, lookup),
    read: async (lookup, page) => (await listProvisionedUsers(database, lookup, page)).map(resourceOf),
  });
}

/** What the database finds: identity providers look up one user at a time. */
function userLookupOf(filter: Filter): ProvisionedUserLookup | null {
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
  const by = USER_LOOKUPS[withoutSchema(filter.path).toLowerCase()];
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
async function answerList<Lookup>(query: URLSearchParams, listing: Listing<Lookup>): Promise<Response> {
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

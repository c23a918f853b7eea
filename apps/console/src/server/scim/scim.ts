import { createHash, timingSafeEqual } from 'node:crypto';
import { refusal } from '@gateway/contract';
import {
  countProvisionedGroups,
  isUnavailability,
  listGroupMembers,
  listProvisionedGroups,
  type ProvisionedGroup,
  type ProvisionedGroupLookup,
} from '@gateway/database/console';
import { within } from '../http/answers.ts';
import { readProof, SignInThrottle } from '../http/caller.ts';
import { readJsonObject } from '../input/body.ts';
import { isRecorded } from '../routing/decisions.ts';
import type { Services } from '../services/services.ts';
import { faultAnswer, noContent, ScimFault, scimResponse } from './answers.ts';
import { type Filter, project, withoutSchema } from './filter.ts';
import {
  GroupProvisioning,
  groupOf,
  groupResource,
  Provisioning,
  type ProvisioningRules,
  patchedGroup,
  unknownGroup,
} from './provisioning.ts';
import { BASE, discover } from './schemas.ts';
import type { Members } from './user.ts';
import { answerList, answerUser, answerUsers, notAllowed, type ScimRequest, UUID } from './users.ts';

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
    lookupOf,
    count: (lookup) => countProvisionedGroups(database, lookup),
    async read(lookup, part) {
      const groups = await listProvisionedGroups(database, lookup, part);
      // A filter that is evaluated here may look at members.
      return withMembers(groups, part === null ? { ...request, query: new URLSearchParams() } : request);
    },
  });
}

const LOOKUPS: Readonly<Record<string, ProvisionedGroupLookup['by']>> = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
};

/** What the database finds: identity providers look up one group at a time. */
function lookupOf(filter: Filter): ProvisionedGroupLookup | null {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.value !== 'string') return null;
  const by = LOOKUPS[withoutSchema(filter.path).toLowerCase()];
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

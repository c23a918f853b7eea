import {
  countProvisionedGroups,
  listGroupMembers,
  listProvisionedGroups,
  type ProvisionedGroup,
  type ProvisionedGroupLookup,
} from '@gateway/database/console';
import { noContent, scimResponse } from './answers.ts';
import { type Filter, withoutSchema } from './filter.ts';
import { groupOf, groupResource, patchedGroup } from './group.ts';
import { unknownGroup } from './group-provisioning.ts';
import { answerList } from './list.ts';
import { project } from './projection.ts';
import type { Members } from './user.ts';
import { notAllowed, type ScimRequest, UUID } from './users.ts';

/** Answers `/Groups`. */
export async function answerGroups(method: string, request: ScimRequest): Promise<Response> {
  if (method === 'GET') return listGroups(request);
  if (method !== 'POST') throw notAllowed(method);
  const group = groupOf(await request.body());
  return groupResponse(201, await request.groups.create(group, request.deadline), request);
}

/** Answers `/Groups/{id}`. */
export async function answerGroup(method: string, id: string, request: ScimRequest): Promise<Response> {
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

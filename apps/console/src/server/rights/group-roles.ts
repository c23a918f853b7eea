import { line, slug } from '@gateway/access/declarations';
import { isRole, ROLES } from '@gateway/contract';
import { mapGroup, unmapGroup } from '@gateway/database/administration';
import { type GroupRole, listGroupRoles } from '@gateway/database/console';
import * as z from 'zod';
import { createdResponse, emptyResponse, faulty, okResponse, refuseTaken, unknown } from '../http/answers.ts';
import { exactly, filterOf } from '../input/fields.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';
import { projectFault } from './role-assignments.ts';

const right: Right = { permission: 'attributions:administrer' };
const NAMES = Object.keys(ROLES).filter(isRole);

const list = route({
  method: 'GET',
  path: '/api/group-roles',
  right,
  summary:
    'Lists the roles that members of provisioned groups (SCIM) get, the newest first. `refused` lists the members that hold a role of the other pole; `members` is null while the group is not provisioned.',
  answers: '200 `{groupRoles, next}`',
  query: z.strictObject({ ...paging('groupRoles', z.tuple([z.guid()])), group: exactly }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listGroupRoles(services.database, filterOf(query, ['group']), page);
    return okResponse(pageOf('groupRoles', rows, page, ({ id }) => [id]));
  },
});

const create = route({
  method: 'POST',
  path: '/api/group-roles',
  right,
  summary:
    'Gives the members of a group a role, from their next request. `group` is the `displayName` of the group, which may be provisioned later. The role ends with the membership or the mapping.',
  answers: '201 group role',
  body: z.strictObject({ group: line(250), role: z.enum(NAMES), project: slug.nullable().default(null) }),
  async handle(call) {
    const fault = projectFault(call.body);
    if (fault !== null) return faulty(fault);
    const outcome = await administer<GroupRole>(call, (act) => mapGroup(act, call.body));
    return 'done' in outcome
      ? createdResponse(outcome.done)
      : refuseTaken('mapping of this group', 'role', 'is mapped already');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/group-roles/:id',
  right,
  summary: 'Ends a mapping: its members lose the role with their next request, unless a person granted it.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      if (!(await unmapGroup(at, call.parameters.id))) at.abandon('absent');
    });
    return 'done' in outcome ? emptyResponse() : unknown('mapping');
  },
});

export const groupRoleRoutes: readonly Route[] = [list, create, remove];

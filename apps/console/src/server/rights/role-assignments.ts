import { slug, subject } from '@gateway/access/declarations';
import { isRole, ROLES } from '@gateway/contract';
import { grantRole, revokeRole } from '@gateway/database/administration';
import { listRoleAssignments, type RoleAssignment } from '@gateway/database/console';
import * as z from 'zod';
import {
  createdResponse,
  deletedResponse,
  faulty,
  okResponse,
  refuseRequest,
  refuseTaken,
  unknown,
} from '../http/answers.ts';
import { exactly, filterOf } from '../input/filter.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';

const right: Right = { permission: 'attributions:administrer' };
const NAMES = Object.keys(ROLES).filter(isRole);

const list = route({
  method: 'GET',
  path: '/api/role-assignments',
  right,
  summary:
    'Lists the roles of subjects with the author of each grant, the newest first. Filters: subject, role, project.',
  answers: '200 `{roleAssignments, next}`',
  query: z.strictObject({
    ...paging('roleAssignments', z.tuple([z.guid()])),
    subject: exactly,
    role: z.enum(NAMES).optional(),
    project: exactly,
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listRoleAssignments(services.database, filterOf(query, ['subject', 'role', 'project']), page);
    return okResponse(pageOf('roleAssignments', rows, page, ({ id }) => [id]));
  },
});

const grant = route({
  method: 'POST',
  path: '/api/role-assignments',
  right,
  summary:
    'Grants a role, which applies to the next request. The subject may be unknown until now. `administrateur-de-projet` needs a project; the others have none. Administration and audit exclude each other.',
  answers: '201 role assignment',
  body: z.strictObject({ subject, role: z.enum(NAMES), project: slug.nullable().default(null) }),
  async handle(call) {
    const { role, project } = call.body;
    if ((ROLES[role].projectScope === 'required') !== (project !== null)) {
      return faulty({
        project: project === null ? 'is missing: this role belongs to a project' : 'is not for this role',
      });
    }
    const outcome = await administer<RoleAssignment, 'taken'>(
      call,
      async (act) => (await grantRole(act, call.body)) ?? act.abandon('taken'),
    );
    if ('done' in outcome) return createdResponse(outcome.done);
    return 'abandoned' in outcome
      ? refuseTaken('role assignment of this subject', 'role', 'is assigned already')
      : refuseRequest('roles-exclude');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/role-assignments/:id',
  right,
  summary: 'Removes a role, from the next request.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      if (!(await revokeRole(at, { id: call.parameters.id }))) at.abandon('absent');
    });
    return 'done' in outcome ? deletedResponse() : unknown('role assignment');
  },
});

export const roleAssignmentRoutes: readonly Route[] = [list, grant, remove];

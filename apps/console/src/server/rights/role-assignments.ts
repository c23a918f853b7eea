import { slug, subject } from '@gateway/access/declarations';
import { isRole, ROLES, type Role, refusal, sentenceOf } from '@gateway/contract';
import { type GrantOutcome, grantRole, grantRoles, revokeRole, revokeRoles } from '@gateway/database/administration';
import { listRoleAssignments, type RoleAssignment, readGrantingGroup } from '@gateway/database/console';
import * as z from 'zod';
import {
  createdResponse,
  emptyResponse,
  faulty,
  okResponse,
  refuseReferenced,
  refuseRequest,
  refuseTaken,
  unknown,
} from '../http/answers.ts';
import { exactly, filterOf } from '../input/fields.ts';
import { pageAsked, pageOf, paging } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Right, type Route, route } from '../routing/route.ts';
import { listOfSubjects, readSubjects } from './subject-revocations.ts';

const right: Right = { permission: 'attributions:administrer' };
const NAMES = Object.keys(ROLES).filter(isRole);

/** The fault of a role with a project that it has not, or without the one it needs; null where both fit. */
export function projectFault(given: {
  readonly role: Role;
  readonly project: string | null;
}): { readonly project: string } | null {
  const { role, project } = given;
  if ((ROLES[role].projectScope === 'required') === (project !== null)) return null;
  return { project: project === null ? 'is missing: this role belongs to a project' : 'is not for this role' };
}

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
    const fault = projectFault(call.body);
    if (fault !== null) return faulty(fault);
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
    const { id } = call.parameters;
    // It would come back with the next change of the group.
    const group = await readGrantingGroup(call.services.database, id);
    if (group !== null) return refuseReferenced('role assignment', `the mapping of the group "${group}"`);
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      if (!(await revokeRole(at, { id }))) at.abandon('absent');
    });
    return 'done' in outcome ? emptyResponse() : unknown('role assignment');
  },
});

const SENTENCES: Readonly<Record<GrantOutcome, string | null>> = {
  granted: null,
  held: null,
  excluded: sentenceOf(refusal('roles-exclude')),
};

const batch = route({
  method: 'POST',
  path: '/api/role-assignments/batch',
  right,
  summary:
    'Grants a role to 1 to 500 subjects. Each is refused by itself, with a sentence: administration and audit exclude each other.',
  answers:
    '200 `{results}`: `subject`, `outcome` (`granted`, `held`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({
    role: z.enum(NAMES),
    project: slug.nullable().default(null),
    subjects: listOfSubjects,
  }),
  async handle(call) {
    const { role, project, subjects } = call.body;
    const fault = projectFault(call.body);
    if (fault !== null) return faulty(fault);
    const read = readSubjects(subjects);
    const grants = read.sound.map((one) => ({ subject: one, role, project }));
    const outcome = await administer(call, (act) => grantRoles(act, grants));
    if ('violated' in outcome) return refuseRequest('roles-exclude');
    return read.answer((_, at) => {
      const came = outcome.done[at] ?? 'excluded';
      return came === 'excluded' ? { outcome: 'refused', error: SENTENCES[came] } : { outcome: came };
    });
  },
});

const removeBatch = route({
  method: 'POST',
  path: '/api/role-assignments/batch-removal',
  right,
  summary:
    'Removes a role of 1 to 500 subjects, from the next request. Each is refused by itself. A role that only a group grants stays.',
  answers: '200 `{results}`: `subject`, `outcome` (`removed`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ role: z.enum(NAMES), project: slug.nullable().default(null), subjects: listOfSubjects }),
  async handle(call) {
    const { role, project, subjects } = call.body;
    const fault = projectFault(call.body);
    if (fault !== null) return faulty(fault);
    const read = readSubjects(subjects);
    const outcome = await administer(call, (act) => revokeRoles(act, read.sound, { role, project }));
    if ('violated' in outcome)
      throw new Error(`removing roles conflicted with another change (${outcome.violated.constraint})`);
    return read.answer((one) =>
      outcome.done.has(one)
        ? { outcome: 'removed' }
        : { outcome: 'refused', error: 'The subject does not have this role from a person.' },
    );
  },
});

export const roleAssignmentRoutes: readonly Route[] = [list, grant, batch, removeBatch, remove];

import { slug, subject } from '@gateway/access/declarations';
import { isRole, ROLES, type Role, refusal, sentenceOf } from '@gateway/contract';
import { type GrantOutcome, grantRole, grantRoles, revokeRole } from '@gateway/database/administration';
import { listRoleAssignments, type RoleAssignment, readGrantingGroup } from '@gateway/database/console';
import * as z from 'zod';
import {
  createdResponse,
  deletedResponse,
  faulty,
  okResponse,
  refuseReferenced,
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
    return 'done' in outcome ? deletedResponse() : unknown('role assignment');
  },
});

/** Subjects of one request. */
const MOST_SUBJECTS = 500;
const LIST_OF_SUBJECTS = `must be a list of 1 to ${MOST_SUBJECTS} subjects`;

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
    subjects: z.array(z.string(), LIST_OF_SUBJECTS).min(1, LIST_OF_SUBJECTS).max(MOST_SUBJECTS, LIST_OF_SUBJECTS),
  }),
  async handle(call) {
    const { role, project, subjects } = call.body;
    const fault = projectFault(call.body);
    if (fault !== null) return faulty(fault);
    const read = subjects.map((one) => ({ one, checked: subject.safeParse(one) }));
    const sound = read.flatMap(({ checked }) => (checked.success ? [{ subject: checked.data, role, project }] : []));
    const outcome = await administer(call, (act) => grantRoles(act, sound));
    if ('violated' in outcome) return refuseRequest('roles-exclude');
    let at = 0;
    const results = read.map(({ one, checked }) => {
      if (!checked.success) {
        return { subject: one, outcome: 'refused', error: `The subject ${checked.error.issues[0]?.message}.` };
      }
      const came = outcome.done[at++] ?? 'excluded';
      return came === 'excluded'
        ? { subject: one, outcome: 'refused', error: SENTENCES[came] }
        : { subject: one, outcome: came };
    });
    return okResponse({ results });
  },
});

export const roleAssignmentRoutes: readonly Route[] = [list, grant, batch, remove];

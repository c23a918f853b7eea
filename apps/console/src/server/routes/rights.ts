import { isRole, ROLES, refusal, sentenceOf } from '@gateway/contract';
import { line, reason, slug, subject } from '@gateway/contract/fields';
import {
  listSubjectRevocations,
  lockSubjectRevocation,
  type SubjectRevocation,
} from '@gateway/domain/account/console-subjects';
import { liftSubject, liftSubjects, revokeSubject, revokeSubjects } from '@gateway/domain/account/subject-acts';
import {
  type GrantOutcome,
  grantRole,
  grantRoles,
  mapGroup,
  projectFault,
  revokeRole,
  revokeRoles,
  unmapGroup,
} from '@gateway/domain/role/acts';
import {
  type GroupRole,
  listGroupRoles,
  listRoleAssignments,
  type RoleAssignment,
  readGrantingGroup,
} from '@gateway/domain/role/console';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
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
import { exactly, filterOf, flag, searchText } from '../http/fields.ts';
import { pageAsked, pageOf, paging, sortedPagingSchema } from '../http/page.ts';
import { type Right, type Route, route } from '../http/route.ts';

/** Subjects of one request. */
const MOST_SUBJECTS = 500;
const LIST = `must be a list of 1 to ${MOST_SUBJECTS} subjects`;

/** The member of a body that names the subjects. */
const listOfSubjects = z.array(z.string(), LIST).min(1, LIST).max(MOST_SUBJECTS, LIST);

const revocationRight: Right = { permission: 'sessions:revoquer' };

const listRevocations = route({
  method: 'GET',
  path: '/api/subject-revocations',
  right: revocationRight,
  summary: 'Lists the revoked subjects with reason and author, the newest revocation first.',
  answers: '200 `{subjectRevocations, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('subjectRevocations', z.tuple([z.guid()]), {
      usual: '-revokedAt',
      columns: { subject: 'text', author: 'text', reason: 'text', liftedAt: 'timestamptz' },
    }),
    subject: exactly,
    subjectPart: searchText,
    inForce: flag.optional(),
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listSubjectRevocations(
      services.database,
      filterOf(query, ['subject', 'subjectPart', 'inForce']),
      page,
    );
    return okResponse(pageOf('subjectRevocations', rows, page, ({ id }) => [id]));
  },
});

const revoke = route({
  method: 'POST',
  path: '/api/subject-revocations',
  right: revocationRight,
  summary: 'Revokes a subject: every request from now is refused, until the revocation is lifted.',
  answers: '201 subject revocation',
  body: z.strictObject({ subject, reason }),
  async handle(call) {
    const { subject, reason } = call.body;
    const outcome = await administer<SubjectRevocation, 'taken'>(
      call,
      async (act) => (await revokeSubject(act, subject, reason)) ?? act.abandon('taken'),
    );
    return 'done' in outcome
      ? createdResponse(outcome.done)
      : refuseTaken('revocation in force', 'subject', 'is revoked already');
  },
});

const revokeBatch = route({
  method: 'POST',
  path: '/api/subject-revocations/batch',
  right: revocationRight,
  summary: 'Revokes 1 to 500 subjects with one reason, as one is revoked. Each is refused by itself.',
  answers:
    '200 `{results}`: `subject`, `outcome` (`revoked`, `held`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ subjects: listOfSubjects, reason }),
  async handle(call) {
    const read = readSubjects(call.body.subjects);
    const outcome = await administer(call, (act) => revokeSubjects(act, read.sound, call.body.reason));
    if ('violated' in outcome) throw conflict(outcome.violated.constraint);
    return read.answer((one) => ({ outcome: outcome.done.has(one) ? 'revoked' : 'held' }));
  },
});

const liftBatch = route({
  method: 'POST',
  path: '/api/subject-revocations/batch-lift',
  right: revocationRight,
  summary: 'Lifts the revocations in force of 1 to 500 subjects. Each is refused by itself.',
  answers: '200 `{results}`: `subject`, `outcome` (`lifted`, `refused`) and `error` of each, in the order given',
  body: z.strictObject({ subjects: listOfSubjects, reason }),
  async handle(call) {
    const read = readSubjects(call.body.subjects);
    const outcome = await administer(call, (act) => liftSubjects(act, read.sound, call.body.reason));
    if ('violated' in outcome) throw conflict(outcome.violated.constraint);
    return read.answer((one) =>
      outcome.done.has(one) ? { outcome: 'lifted' } : { outcome: 'refused', error: 'The subject is not revoked.' },
    );
  },
});

const conflict = (constraint: string): Error => new Error(`revocations conflicted with another change (${constraint})`);

const lift = route({
  method: 'POST',
  path: '/api/subject-revocations/:id/lift',
  right: revocationRight,
  summary: 'Lifts a revocation: the subject is served again. Lifting it again changes nothing.',
  answers: '200 subject revocation',
  body: z.strictObject({ reason }),
  async handle(call) {
    const outcome = await administer<SubjectRevocation, 'absent'>(call, async (at) => {
      const { id } = call.parameters;
      const before = (await lockSubjectRevocation(at.sql, { id })) ?? at.abandon('absent');
      return liftSubject(at, before, call.body.reason);
    });
    return 'done' in outcome ? okResponse(outcome.done) : unknown('subject revocation');
  },
});

export const subjectRevocationRoutes: readonly Route[] = [listRevocations, revoke, revokeBatch, liftBatch, lift];

/** What became of one subject. */
interface Came {
  readonly outcome: string;
  readonly error?: string | null;
}

interface ReadSubjects {
  /** Those that are well-formed, in the order given. */
  readonly sound: readonly string[];
  /** The answer: one result for each subject, in the order given. `at` is the position among the sound ones. */
  readonly answer: (cameOf: (subject: string, at: number) => Came) => Response;
}

/** Checks each subject by itself: a malformed one is refused alone. */
function readSubjects(given: readonly string[]): ReadSubjects {
  const read = given.map((one) => ({ one, checked: subject.safeParse(one) }));
  return {
    sound: read.flatMap(({ checked }) => (checked.success ? [checked.data] : [])),
    answer(cameOf) {
      let at = 0;
      const results = read.map(({ one, checked }) =>
        checked.success
          ? { subject: one, ...cameOf(checked.data, at++) }
          : { subject: one, outcome: 'refused', error: `The subject ${checked.error.issues[0]?.message}.` },
      );
      return okResponse({ results });
    },
  };
}

const roleRight: Right = { permission: 'attributions:administrer' };
const NAMES = Object.keys(ROLES).filter(isRole);

const listRoles = route({
  method: 'GET',
  path: '/api/role-assignments',
  right: roleRight,
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
  right: roleRight,
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

const removeRole = route({
  method: 'DELETE',
  path: '/api/role-assignments/:id',
  right: roleRight,
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
  right: roleRight,
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
  right: roleRight,
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

export const roleAssignmentRoutes: readonly Route[] = [listRoles, grant, batch, removeBatch, removeRole];

const list = route({
  method: 'GET',
  path: '/api/group-roles',
  right: roleRight,
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
  right: roleRight,
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

const removeGroupRole = route({
  method: 'DELETE',
  path: '/api/group-roles/:id',
  right: roleRight,
  summary: 'Ends a mapping: its members lose the role with their next request, unless a person granted it.',
  answers: '204',
  async handle(call) {
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      if (!(await unmapGroup(at, call.parameters.id))) at.abandon('absent');
    });
    return 'done' in outcome ? emptyResponse() : unknown('mapping');
  },
});

export const groupRoleRoutes: readonly Route[] = [list, create, removeGroupRole];

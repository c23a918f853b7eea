import { slug, subject } from '@gateway/access/declarations';
import { addMember, removeMember, setMemberEnabled } from '@gateway/database/administration';
import { listMembers, listRoleAssignments, lockMember, type Member } from '@gateway/database/console';
import * as z from 'zod';
import {
  createdResponse,
  emptyResponse,
  faulty,
  okResponse,
  refuseRequest,
  refuseTaken,
  unknown,
} from '../http/answers.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Route, route } from '../routing/route.ts';

const list = route({
  method: 'GET',
  path: '/api/projects/:project/members',
  right: { permission: 'membres:lire', inProject: true },
  summary: 'Lists the members of a project with their state.',
  answers: '200 `{members, next}`',
  query: z.strictObject(
    sortedPagingSchema('members', z.tuple([z.string()]), {
      usual: 'subject',
      columns: { addedAt: 'timestamptz', addedBy: 'text', enabled: 'boolean' },
    }),
  ),
  async handle({ parameters, query, services }) {
    const page = pageAsked(query);
    const rows = await listMembers(services.database, parameters.project, page);
    return okResponse(pageOf('members', rows, page, (member) => [member.subject]));
  },
});

const add = route({
  method: 'POST',
  path: '/api/projects/:project/members',
  right: { permission: 'attributions:administrer' },
  summary: 'Adds a subject to a project. Both may be unknown until now.',
  answers: '201 member',
  body: z.strictObject({ subject }),
  async handle(call) {
    const project = slug.safeParse(call.parameters.project);
    if (!project.success)
      return faulty({ project: project.error.issues[0]?.message ?? 'is not the name of a project' });
    const outcome = await administer<Member, 'taken'>(
      call,
      async (act) => (await addMember(act, project.data, call.body.subject)) ?? act.abandon('taken'),
    );
    return 'done' in outcome
      ? createdResponse(outcome.done)
      : refuseTaken('member of the project', 'subject', 'is a member already');
  },
});

const remove = route({
  method: 'DELETE',
  path: '/api/projects/:project/members/:subject',
  right: { permission: 'attributions:administrer' },
  summary: 'Removes a subject from a project. Its account stays.',
  answers: '204',
  async handle(call) {
    const { project, subject: name } = call.parameters;
    const outcome = await administer<void, 'absent'>(call, async (at) => {
      if (!(await removeMember(at, project, name))) at.abandon('absent');
    });
    return 'done' in outcome ? emptyResponse() : unknown('member');
  },
});

const enable = route({
  method: 'PATCH',
  path: '/api/projects/:project/members/:subject',
  right: { permission: 'membres:activer', inProject: true },
  summary:
    'Enables or disables the account of a member, from its next request on. A member with a role of the whole instance cannot be changed. An account that an instance administrator disabled stays disabled.',
  answers: '200 member',
  body: z.strictObject({ enabled: z.boolean('must be true or false') }),
  async handle(call) {
    const { project, subject: name } = call.parameters;
    const outcome = await administer<Member, 'absent' | 'privileged' | 'disabled-by-instance'>(call, async (at) => {
      const before = (await lockMember(at.sql, project, name)) ?? at.abandon('absent');
      const held = await listRoleAssignments(
        at.sql,
        { subject: name, role: null, project: null },
        { limit: null, after: null },
      );
      if (held.some(({ role }) => ['administrateur-d-instance', 'auditeur'].includes(role))) at.abandon('privileged');
      return (await setMemberEnabled(at, before, call.body.enabled)) ?? at.abandon('disabled-by-instance');
    });
    if ('done' in outcome) return okResponse(outcome.done);
    const why = 'abandoned' in outcome ? outcome.abandoned : 'absent';
    return why === 'absent' ? unknown('member') : refuseRequest(`member-${why}`);
  },
});

export const memberRoutes: readonly Route[] = [list, add, remove, enable];

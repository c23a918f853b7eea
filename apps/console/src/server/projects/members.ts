import { slug, subject } from '@gateway/access/declarations';
import {
  deleteMember,
  enableForProject,
  insertMember,
  listMembers,
  listRoleAssignments,
  type Member,
  readMember,
} from '@gateway/database/console';
import { v7 as uuid } from 'uuid';
import * as z from 'zod';
import { authorOf } from '../caller/caller.ts';
import { created, deleted, faulty, refused, shown, taken, unknown } from '../http/answers.ts';
import { pageAsked, pageOf, sortedPaging } from '../input/page.ts';
import { administer } from '../routing/administer.ts';
import { type Route, route } from '../routing/route.ts';

const target = (member: Pick<Member, 'project' | 'subject'>) => `project:${member.project}/member:${member.subject}`;

const list = route({
  method: 'GET',
  path: '/api/projects/:project/members',
  right: { permission: 'membres:lire', inProject: true },
  summary: 'Lists the members of a project with their state.',
  answers: '200 `{members, next}`',
  query: z.strictObject(
    sortedPaging('members', z.tuple([z.string()]), {
      usual: 'subject',
      columns: { addedAt: 'timestamptz', addedBy: 'text', enabled: 'boolean' },
    }),
  ),
  async handle({ parameters, query, services }) {
    const page = pageAsked(query);
    const rows = await listMembers(services.database, parameters.project, page);
    return shown(pageOf('members', rows, page, (member) => [member.subject]));
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
    if (!project.success) return faulty({ project: project.error.issues[0]?.message ?? 'is no name of a project' });
    const member = { project: project.data, subject: call.body.subject, addedBy: authorOf(call.caller) };
    const outcome = await administer(call, async ({ sql, record }) => {
      await insertMember(sql, member);
      const after = await readMember(sql, member.project, member.subject);
      await record({ action: 'member.add', target: target(member), before: null, after });
      return after;
    });
    return 'violated' in outcome ? taken('member of the project', 'subject') : created(outcome.done);
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
      const before = (await readMember(at.sql, project, name)) ?? at.abandon('absent');
      await deleteMember(at.sql, project, name);
      await at.record({ action: 'member.remove', target: target(before), before, after: null });
    });
    return 'done' in outcome ? deleted() : unknown('member');
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
    const outcome = await administer<Member | undefined, 'absent' | 'privileged' | 'disabled-by-instance'>(
      call,
      async (at) => {
        const before = (await readMember(at.sql, project, name)) ?? at.abandon('absent');
        const held = await listRoleAssignments(
          at.sql,
          { subject: name, role: null, project: null },
          { limit: null, after: null },
        );
        if (held.some(({ role }) => ['administrateur-d-instance', 'auditeur'].includes(role))) at.abandon('privileged');
        const asked = { id: uuid(), subject: name, enabled: call.body.enabled };
        if (!(await enableForProject(at.sql, asked))) at.abandon('disabled-by-instance');
        const after = await readMember(at.sql, project, name);
        const action = call.body.enabled ? 'member.enable' : 'member.disable';
        await at.record({ action, target: target(before), before, after });
        return after;
      },
    );
    if ('done' in outcome) return shown(outcome.done);
    const why = 'abandoned' in outcome ? outcome.abandoned : 'absent';
    return why === 'absent' ? unknown('member') : refused(`member-${why}`);
  },
});

export const memberRoutes: readonly Route[] = [list, add, remove, enable];

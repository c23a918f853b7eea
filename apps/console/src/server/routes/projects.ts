import { slug, subject } from '@gateway/contract/fields';
import {
  type KnownSubject,
  listSubjects,
  listWaitingSubjects,
  readLookalikes,
} from '@gateway/domain/account/console-subjects';
import { addMember, removeMember, setMemberEnabled } from '@gateway/domain/role/acts';
import { listMembers, listProjects, listRoleAssignments, lockMember, type Member } from '@gateway/domain/role/console';
import * as z from 'zod';
import { administer } from '../http/administer.ts';
import {
  createdResponse,
  emptyResponse,
  faulty,
  okResponse,
  refuseRequest,
  refuseTaken,
  unknown,
} from '../http/answers.ts';
import { exactly, filterOf, flag, searchText } from '../http/fields.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../http/page.ts';
import { type Route, route } from '../http/route.ts';
import type { Services } from '../http/services.ts';

const byName = sortedPagingSchema('projects', z.tuple([z.string()]), {
  usual: 'project',
  columns: { members: 'float8' },
});

const all = route({
  method: 'GET',
  path: '/api/projects',
  right: { permission: 'attributions:administrer' },
  summary: 'Lists the projects that a role or a membership names, with their administrators and number of members.',
  answers: '200 `{projects, next}`',
  query: z.strictObject(byName),
  async handle({ query, services }) {
    const page = pageAsked(query);
    const rows = await listProjects(services.database, { names: null }, page);
    return okResponse(pageOf('projects', rows, page, ({ project }) => [project]));
  },
});

const own = route({
  method: 'GET',
  path: '/api/projects/own',
  right: { permission: 'console:administrer-un-projet' },
  summary: 'Lists the projects the caller administers.',
  answers: '200 `{projects, next}`',
  query: z.strictObject(byName),
  async handle({ caller, query, services }) {
    const names = caller.kind === 'shared-pair' ? null : caller.roles.flatMap(({ project }) => project ?? []);
    const page = pageAsked(query);
    const rows = await listProjects(services.database, { names }, page);
    return okResponse(pageOf('projects', rows, page, ({ project }) => [project]));
  },
});

const subjects = route({
  method: 'GET',
  path: '/api/subjects',
  right: { permission: 'membres:lire-l-instance' },
  rightFor: ({ searchParams }) =>
    searchParams.has('waiting')
      ? { permission: 'attributions:administrer' }
      : { permission: 'membres:lire-l-instance' },
  summary:
    'Lists all known subjects by name: registered accounts, and subjects with a role or a project. `search` searches the name. `project` selects its members, `subject` one by its whole name. `waiting=true` lists who was seen or provisioned and holds no role, with the refusals of this month; it needs `attributions:administrer`. `resembles` is another known name that looks like one that the identity provider brought, or null.',
  answers: '200 `{subjects, next}`',
  query: z.strictObject({
    ...sortedPagingSchema('subjects', z.tuple([z.string()]), {
      usual: 'subject',
      columns: { roles: 'text', projects: 'text', state: 'text' },
    }),
    search: searchText,
    project: exactly,
    subject: exactly,
    waiting: flag.optional(),
  }),
  async handle({ query, services }) {
    const page = pageAsked(query);
    if (query.waiting === true) {
      if (page.sorted != null) return faulty({ sort: 'is not for those who wait' });
      const rows = await listWaitingSubjects(services.database, filterOf(query, ['search', 'subject']), page);
      return okResponse(pageOf('subjects', rows, page, bySubject, await marker(services, rows)));
    }
    const rows = await listSubjects(services.database, filterOf(query, ['search', 'project', 'subject']), page);
    return okResponse(pageOf('subjects', rows, page, bySubject, await marker(services, rows)));
  },
});

type Named = Pick<KnownSubject, 'subject' | 'origin'>;

const bySubject = ({ subject }: Named): readonly [string] => [subject];

/** Marks names that a token or a directory brought, and that look like another one: nobody refused them. */
async function marker({ database }: Pick<Services, 'database'>, rows: readonly Named[]) {
  const others = await readLookalikes(
    database,
    rows.filter(({ origin }) => origin !== 'local').map(({ subject }) => subject),
  );
  return <Row extends Named>(row: Row) => ({ ...row, resembles: others.get(row.subject) ?? null });
}

export const projectRoutes: readonly Route[] = [all, own, subjects];

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

import {
  type KnownSubject,
  listProjects,
  listSubjects,
  listWaitingSubjects,
  readLookalikes,
} from '@gateway/database/console';
import * as z from 'zod';
import { faulty, okResponse } from '../http/answers.ts';
import { exactly, filterOf, searchText } from '../input/filter.ts';
import { flag } from '../input/flag.ts';
import { pageAsked, pageOf, sortedPagingSchema } from '../input/page.ts';
import { type Route, route } from '../routing/route.ts';
import type { Services } from '../services/services.ts';

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

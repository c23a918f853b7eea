import type { Page } from '@gateway/database/client/pages';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listMembers, listProjects, listRoleAssignments } from '../role/console.ts';
import { listUsers, type UserFilter } from './console.ts';
import { listSubjectRevocations, listSubjects } from './console-subjects.ts';

let database: TestDatabase;
let declare: Declare;
const WHOLE = { limit: null, after: null };
/** Names that a search could mistake for a pattern, for another case, or for each other. */
const NAMES = ['ada', 'Ada', 'ADA-2', 'a%a', 'a_a', "o'neil", 'Zoë', 'zoe', '名前', 'ann', 'anna', 'back\\slash'];
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  const gold = await declare.plan('gold', 10);
  for (const [n, name] of NAMES.entries()) {
    if (n % 3 !== 0) await declare.account(name, { enabled: n % 2 === 0, ...(n % 4 === 1 && { plan: gold }) });
    if (n % 2 === 0) await declare.grant(name, 'utilisateur-standard');
    if (n % 5 === 0) await declare.grant(name, 'administrateur-de-projet', 'apollo');
    if (n % 3 === 0) {
      await database.sql`insert into project_members (project, subject, added_by) values ('apollo', ${name}, 'x'), ('zeus', ${name}, 'x')`;
    }
    if (n % 4 === 0) {
      await database.sql`insert into subject_revocations (id, subject, reason, author) values (${uuid()}, ${name}, 'r', 'x')`;
    }
  }
});
afterAll(() => database.drop());

const search = fc.oneof(
  fc.constantFrom(...NAMES, 'A', '%', '_', '\\', "'", 'AN', 'ë', 'Ë', '名', '', 'nobody'),
  fc.string({ maxLength: 2 }).map((text) => text.replaceAll('\0', '')),
);
const includes = (name: string, part: string) => name.toLowerCase().includes(part.toLowerCase());

describe('the known subjects', () => {
  const NO_FILTER = { search: null, project: null, subject: null };
  const names = async (filter: Partial<typeof NO_FILTER> | { search: string }, page: Page<readonly [string]> = WHOLE) =>
    (await listSubjects(database.sql, { ...NO_FILTER, ...filter }, page)).map(({ subject }) => subject);

  it('are those with an account, a role or a project, each once', async () => {
    expect(new Set(await names({}))).toEqual(new Set(NAMES));
    expect(await names({})).toHaveLength(NAMES.length);
  });

  it('are found by any part of the name, in any case, and no sign is a pattern', async () => {
    await fc.assert(
      fc.asyncProperty(search, async (part) => {
        const expected = NAMES.filter((name) => includes(name, part));
        expect((await names({ search: part })).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it('are read page by page without a gap while others are added and removed', async () => {
    const before = await names({});
    const seen: string[] = [];
    for (let after: readonly [string] | null = null; ; ) {
      const rows: string[] = await names({}, { limit: 2, after });
      const page = rows.slice(0, 2);
      seen.push(...page);
      const last = page.at(-1);
      if (rows.length <= 2 || last === undefined) break;
      after = [last];
      // Between two pages: one appears before what was read, and what was read last disappears.
      await database.sql`insert into project_members (project, subject, added_by) values ('new', ${`!${seen.length}`}, 'x')`;
    }
    await database.sql`delete from project_members where project = 'new'`;
    expect(seen).toEqual(before);
  });

  it('of a project are its members, with their roles and their other projects', async () => {
    const rows = await listSubjects(database.sql, { ...NO_FILTER, project: 'apollo', search: 'a' }, WHOLE);
    const expected = NAMES.filter((name, n) => n % 3 === 0 && includes(name, 'a'));
    expect(rows.map(({ subject }) => subject).toSorted()).toEqual(expected.toSorted());
    expect(rows.every(({ projects }) => projects.join() === 'apollo,zeus')).toBe(true);
    const [ada] = await listSubjects(database.sql, { ...NO_FILTER, subject: 'ada' }, WHOLE);
    expect(ada).toEqual({
      subject: 'ada',
      origin: null,
      enabled: true,
      displayName: null,
      revoked: true,
      roles: [
        { role: 'administrateur-de-projet', project: 'apollo' },
        { role: 'utilisateur-standard', project: null },
      ],
      projects: ['apollo', 'zeus'],
    });
  });
});

describe('the accounts', () => {
  const NO_FILTER: UserFilter = { search: null, plan: null, enabled: null, username: null, role: null, state: null };
  const ACCOUNTS = NAMES.map((name, n) => ({ name, n })).filter(({ n }) => n % 3 !== 0);
  const names = async (filter: Partial<UserFilter>) =>
    (await listUsers(database.sql, { ...NO_FILTER, ...filter }, WHOLE)).map(({ username }) => username).toSorted();

  it('are found by any part of username, name or address, combined with plan and state', async () => {
    await database.sql`update accounts set display_name = 'Grace H%pper', email = 'GH@example.org' where username = 'ann'`;
    const [gold] = await database.sql<{ id: string }[]>`select id from plans where slug = 'gold'`;
    const filter = fc.record({ search: fc.option(search), enabled: fc.option(fc.boolean()), gold: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(filter, async (asked) => {
        const expected = ACCOUNTS.filter(({ name, n }) => {
          const [row] = [name === 'ann' ? 'ann Grace H%pper GH@example.org' : name];
          return (
            (asked.search === null || includes(row, asked.search)) &&
            (asked.enabled === null || asked.enabled === (n % 2 === 0)) &&
            (!asked.gold || n % 4 === 1)
          );
        });
        const found = await names({
          search: asked.search,
          enabled: asked.enabled,
          plan: asked.gold ? (gold?.id ?? '') : null,
        });
        expect(found).toEqual(expected.map(({ name }) => name).toSorted());
      }),
      { numRuns: 60 },
    );
  });

  it('are found by the last four characters of a key, whole and in any case', async () => {
    await database.sql`
      update account_keys set last_four = 'c0de' where account_id = (select id from accounts where username = 'zoe')`;
    expect(await names({ search: 'C0DE' })).toEqual(['zoe']);
    expect(await names({ search: 'c0d' })).toEqual([]);
  });

  it('are found by the exact username alone', async () => {
    expect(await names({ username: 'Ada' })).toEqual(['Ada']);
    expect(await names({ username: 'aDA' })).toEqual([]);
  });
});

describe('projects', () => {
  it('are those that a role or a membership names, with their administrators and members', async () => {
    const rows = await listProjects(database.sql, { names: null }, WHOLE);
    const members = NAMES.filter((_, n) => n % 3 === 0).length;
    const administrators = NAMES.filter((_, n) => n % 5 === 0);
    expect(rows.map(({ project, members: count }) => [project, count])).toEqual([
      ['apollo', members],
      ['zeus', members],
    ]);
    expect(rows[0]?.administrators.toSorted()).toEqual(administrators.toSorted());
    expect(rows[1]?.administrators).toEqual([]);
  });

  it('are chosen by their names, and none by an empty choice', async () => {
    const chosen = async (names: readonly string[]) =>
      (await listProjects(database.sql, { names }, WHOLE)).map(({ project }) => project);
    expect(await chosen(['zeus', 'unknown', "a','b"])).toEqual(['zeus']);
    expect(await chosen([])).toEqual([]);
  });

  it('show of each member who disabled the account', async () => {
    for (const [subject, enabled, byProject] of [
      ['by-project', false, true],
      ['by-instance', false, false],
      ['enabled', true, false],
    ] as const) {
      await database.sql`
        insert into accounts (id, username, origin, enabled, disabled_by_project)
        values (${uuid()}, ${subject}, 'directory', ${enabled}, ${byProject})`;
    }
    await database.sql`
      insert into project_members (project, subject, added_by)
      select 'states', name, 'x' from unnest(array['by-project', 'by-instance', 'enabled', 'unregistered']) name`;
    const rows = await listMembers(database.sql, 'states', WHOLE);
    expect(rows.map((row) => [row.subject, row.registered, row.enabled, row.disabledBy])).toEqual([
      ['by-instance', true, false, 'instance'],
      ['by-project', true, false, 'project'],
      ['enabled', true, true, null],
      ['unregistered', false, true, null],
    ]);
  });
});

describe('role assignments', () => {
  it('are the newest first, for any filter, page by page', async () => {
    const none = { subject: null, role: null, project: null };
    const all = await listRoleAssignments(database.sql, none, WHOLE);
    const filter = fc.record({
      subject: fc.option(fc.constantFrom(...NAMES, 'nobody')),
      role: fc.option(fc.constantFrom('utilisateur-standard', 'administrateur-de-projet', 'auditeur')),
      project: fc.option(fc.constantFrom('apollo', 'zeus')),
    });
    await fc.assert(
      fc.asyncProperty(filter, fc.integer({ min: 1, max: 5 }), async (asked, limit) => {
        const expected = all.filter(
          (one) =>
            (asked.subject === null || one.subject === asked.subject) &&
            (asked.role === null || one.role === asked.role) &&
            (asked.project === null || one.project === asked.project),
        );
        const first = await listRoleAssignments(database.sql, asked, { limit, after: null });
        expect([...first]).toEqual(expected.slice(0, limit + 1));
        const [last] = expected.slice(limit - 1);
        const next = last ? await listRoleAssignments(database.sql, asked, { limit, after: [last.id] }) : [];
        expect([...next]).toEqual(expected.slice(limit, 2 * limit + 1));
      }),
      { numRuns: 40 },
    );
  });
});

describe('revoked subjects', () => {
  it('are those in force, those lifted, or all, by name or a part of it', async () => {
    const list = async (filter: Partial<Parameters<typeof listSubjectRevocations>[1]>) => {
      const none = { subject: null, subjectPart: null, inForce: null };
      return (await listSubjectRevocations(database.sql, { ...none, ...filter }, WHOLE)).map(({ subject }) => subject);
    };
    const revoked = NAMES.filter((_, n) => n % 4 === 0);
    await database.sql`
      update subject_revocations set lifted_at = now(), lifted_by = 'x' where subject = ${revoked[0] ?? ''}`;
    expect(await list({})).toEqual(revoked.toReversed());
    expect(await list({ inForce: true })).toEqual(revoked.slice(1).toReversed());
    expect(await list({ inForce: false })).toEqual(revoked.slice(0, 1));
    expect(await list({ subjectPart: '_' })).toEqual(revoked.filter((name) => name.includes('_')));
    expect(await list({ subject: revoked[1] ?? '', inForce: false })).toEqual([]);
  });
});

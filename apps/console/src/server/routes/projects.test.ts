import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant, startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

async function newProject() {
  const project = unique('project');
  return { project, administrator: await here.holder({ role: 'administrateur-de-projet', project }) };
}

describe('a project', () => {
  it('is known by its administrators and members', async () => {
    const { project, administrator } = await newProject();
    await here.pair.create(`/api/projects/${project}/members`, { subject: 'ada' });
    const known = { project, administrators: [administrator.username], members: 1 };
    expect((await here.pair.get('/api/projects?limit=500')).json.projects).toContainEqual(known);
    expect((await administrator.get('/api/projects/own')).json).toEqual({ projects: [known], next: null });
    expect((await here.pair.get('/api/projects/own')).json.projects).toContainEqual(known);
  });
  it('has a name without anything else in it', async () => {
    expect((await here.pair.post('/api/projects/a%20b/members', { subject: 'ada' })).json.fields).toHaveProperty(
      'project',
    );
  });
});

describe('a member', () => {
  it('is added once, listed with its state, and removed', async () => {
    const { project, administrator } = await newProject();
    const subject = 'a/b c?é@example.com';
    const made = await here.pair.create(`/api/projects/${project}/members`, { subject });
    expect(made).toMatchObject({ project, subject, registered: false, enabled: true, addedBy: 'shared-pair' });
    expect((await here.pair.post(`/api/projects/${project}/members`, { subject })).status).toBe(409);
    expect((await administrator.get(`/api/projects/${project}/members`)).json.members).toEqual([made]);
    const path = `/api/projects/${project}/members/${encodeURIComponent(subject)}`;
    expect([(await here.pair.delete(path)).status, (await here.pair.delete(path)).status]).toEqual([204, 404]);
  });
  it('is disabled and enabled by the administrator of the project, from the next request on', async () => {
    const { project, administrator } = await newProject();
    const member = await here.holder('utilisateur-standard');
    await here.pair.create(`/api/projects/${project}/members`, { subject: member.username });
    const path = `/api/projects/${project}/members/${member.username}`;
    expect((await member.get('/api/usage/own')).status).toBe(200);
    expect((await administrator.patch(path, { enabled: false })).json).toMatchObject({
      enabled: false,
      registered: true,
    });
    expect((await member.get('/api/usage/own')).status).toBe(401);
    expect((await administrator.patch(path, { enabled: true })).json.enabled).toBe(true);
    expect((await member.get('/api/usage/own')).status).toBe(200);
  });
  // console-19
  it('only an instance administrator enables a member that one disabled', async () => {
    const { project, administrator } = await newProject();
    const member = await here.holder('utilisateur-standard');
    await here.pair.create(`/api/projects/${project}/members`, { subject: member.username });
    const path = `/api/projects/${project}/members/${member.username}`;
    const account = `/api/users/${member.id}`;
    const disabledBy = async () =>
      (await administrator.get(`/api/projects/${project}/members`)).json.members[0].disabledBy;
    const refused = async () => {
      const { status, json } = await administrator.patch(path, { enabled: true });
      expect([status, json.error]).toEqual([409, expect.stringMatching(/^An instance administrator disabled/)]);
      expect((await member.get('/api/usage/own')).status).toBe(401);
    };
    await here.pair.patch(account, { enabled: false });
    await refused();
    // Neither by disabling first, nor where the project had disabled before.
    expect((await administrator.patch(path, { enabled: false })).status).toBe(200);
    await refused();
    expect(await disabledBy()).toBe('instance');
    await here.pair.patch(account, { enabled: true });
    await administrator.patch(path, { enabled: false });
    await here.pair.patch(account, { displayName: 'Ada' });
    expect(await disabledBy()).toBe('project');
    await here.pair.patch(account, { enabled: false });
    await refused();
    await here.pair.patch(account, { enabled: true });
    expect((await member.get('/api/usage/own')).status).toBe(200);
    expect(await disabledBy()).toBeNull();
  });
  it('of the identity provider who never called is registered when it is disabled', async () => {
    const { project, administrator } = await newProject();
    const subject = unique('stranger');
    await here.pair.create(`/api/projects/${project}/members`, { subject });
    await administrator.patch(`/api/projects/${project}/members/${subject}`, { enabled: false });
    const rows = await here.database.sql`select origin, enabled from accounts where username = ${subject}`;
    expect([...rows]).toEqual([{ origin: 'directory', enabled: false }]);
  });
  it('a revoked member is listed as revoked, which enabling it does not lift', async () => {
    const { project, administrator } = await newProject();
    const subject = unique('subject');
    await here.pair.create(`/api/projects/${project}/members`, { subject });
    await here.pair.create('/api/subject-revocations', { subject, reason: 'left' });
    await administrator.patch(`/api/projects/${project}/members/${subject}`, { enabled: true });
    const { json } = await administrator.get(`/api/projects/${project}/members`);
    expect(json.members).toEqual([expect.objectContaining({ subject, enabled: true, revoked: true })]);
  });
  it('with a role of the whole instance cannot be changed', async () => {
    const { project, administrator } = await newProject();
    for (const role of ['administrateur-d-instance', 'auditeur'] as const) {
      const subject = unique('subject');
      await grant(here.database, subject, role);
      await here.pair.create(`/api/projects/${project}/members`, { subject });
      expect(
        (await administrator.patch(`/api/projects/${project}/members/${subject}`, { enabled: false })).status,
      ).toBe(409);
    }
  });
  it('of another project, or of none, is 404', async () => {
    const { project, administrator } = await newProject();
    const outsider = await here.holder();
    const reply = await administrator.patch(`/api/projects/${project}/members/${outsider.username}`, {
      enabled: false,
    });
    expect(reply.status).toBe(404);
    expect((await administrator.patch('/api/projects/other/members/x', { enabled: false })).status).toBe(403);
  });
});

describe('the subjects this instance knows', () => {
  it('are marked where a token brought a name that looks like another', async () => {
    const mark = unique('ocean');
    const other = mark.replace('oce', '\u043ece');
    await here.pair.create('/api/users', { username: mark });
    await here.database.sql`insert into accounts (id, username, origin) values (${uuid()}, ${other}, 'directory')`;
    const marked = async (subject: string) =>
      (await here.pair.get(`/api/subjects?subject=${encodeURIComponent(subject)}`)).json.subjects[0].resembles;
    expect([await marked(mark), await marked(other)]).toEqual([null, mark]);
  });
  it('are accounts, holders of roles and members, each once', async () => {
    const mark = unique('known');
    const [registered, holder, member] = [`${mark}-a`, `${mark}-b`, `${mark}-c`];
    await here.pair.create('/api/users', { username: registered });
    await grant(here.database, holder, 'auditeur');
    await here.pair.create('/api/projects/apollo/members', { subject: member });
    await here.pair.create('/api/projects/apollo/members', { subject: registered });
    await here.pair.create('/api/subject-revocations', { subject: holder, reason: 'left' });
    const all: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await here.pair.get(
        `/api/subjects?search=${mark.toUpperCase()}&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      all.push(...json.subjects);
      cursor = json.next;
    }
    const nobody = {
      resembles: null,
      origin: null,
      enabled: true,
      displayName: null,
      revoked: false,
      roles: [],
      projects: [],
    };
    expect(all).toEqual([
      { ...nobody, subject: registered, origin: 'local', projects: ['apollo'] },
      { ...nobody, subject: holder, revoked: true, roles: [{ role: 'auditeur', project: null }] },
      { ...nobody, subject: member, projects: ['apollo'] },
    ]);
  });
  it('are limited to the members of a project, for any names', async () => {
    const project = 'R&D / 50 % "x"';
    const mark = unique('member');
    const subjects = [`${mark} a/b`, `${mark} é%`, `${mark}-plain`];
    for (const subject of subjects) {
      await here.database
        .sql`insert into project_members (project, subject, added_by) values (${project}, ${subject}, 'x')`;
    }
    await here.pair.create('/api/users', { username: `${mark}-outside` });
    await here.pair.create('/api/projects/apollo/members', { subject: subjects[0] });
    const path = `/api/subjects?project=${encodeURIComponent(project)}&search=${mark}`;
    const names = (list: readonly { subject: string }[]) => list.map(({ subject }) => subject);
    expect(names((await here.pair.get(path)).json.subjects)).toEqual(subjects);
    const first = (await here.pair.get(`${path}&limit=2`)).json;
    const last = (await here.pair.get(`${path}&limit=2&cursor=${first.next}`)).json;
    expect([names(first.subjects), names(last.subjects)]).toEqual([subjects.slice(0, 2), subjects.slice(2)]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());
const NOBODY = '01890000-0000-7000-8000-000000000000';

describe('a role assignment', () => {
  it('is granted, listed with its author, and taken away', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const subject = unique('subject');
    const made = await holder.create('/api/role-assignments', { subject, role: 'utilisateur-standard' });
    expect(made).toMatchObject({ subject, role: 'utilisateur-standard', project: null, author: holder.username });
    const listed = await holder.get(`/api/role-assignments?subject=${subject}`);
    expect(listed.json).toEqual({ roleAssignments: [made], next: null });
    expect((await holder.delete(`/api/role-assignments/${made.id}`)).status).toBe(204);
    expect((await holder.delete(`/api/role-assignments/${made.id}`)).status).toBe(404);
  });
  it('is found by role and by project', async () => {
    const project = unique('project');
    const subject = unique('subject');
    await here.pair.create('/api/role-assignments', { subject, role: 'administrateur-de-projet', project });
    for (const query of [`project=${project}`, `role=administrateur-de-projet&subject=${subject}`]) {
      expect((await here.pair.get(`/api/role-assignments?${query}`)).json.roleAssignments).toMatchObject([
        { subject, project },
      ]);
    }
  });
  it.each([
    ['role', { role: 'super' }],
    ['role', {}],
    ['subject', { role: 'auditeur', subject: '' }],
    ['subject', { role: 'auditeur', subject: 'a\nb' }],
    ['project', { role: 'administrateur-de-projet' }],
    ['project', { role: 'auditeur', project: 'apollo' }],
    ['project', { role: 'administrateur-de-projet', project: 'a b' }],
    ['author', { role: 'auditeur', author: 'somebody else' }],
  ])('is refused with %s: %j', async (field, change) => {
    const reply = await here.pair.post('/api/role-assignments', { subject: unique('subject'), ...change });
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [field]]);
  });
  it('is granted once, and never together with the opposite role, in either order', async () => {
    for (const [one, other] of [
      ['auditeur', 'administrateur-d-instance'],
      ['administrateur-d-instance', 'auditeur'],
    ]) {
      const subject = unique('subject');
      await here.pair.create('/api/role-assignments', { subject, role: one });
      expect((await here.pair.post('/api/role-assignments', { subject, role: one })).status).toBe(409);
      const both = await here.pair.post('/api/role-assignments', { subject, role: other });
      expect([both.status, both.json.error]).toEqual([409, expect.stringContaining('at the same time')]);
      await here.pair.create('/api/role-assignments', { subject, role: 'utilisateur-standard' });
    }
  });
  it('of both poles does not come about when two are granted at once', async () => {
    const subject = unique('subject');
    const replies = await Promise.all(
      ['auditeur', 'administrateur-d-instance'].map((role) =>
        here.pair.post('/api/role-assignments', { subject, role }),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

describe('many subjects', () => {
  const many = async (path: string, body: object) => (await here.pair.post(path, body)).json.results;

  it('are revoked and served again, each by itself', async () => {
    const [one, two, three] = [unique('one'), unique('two'), unique('three')];
    await here.pair.create('/api/subject-revocations', { subject: two, reason: 'alone' });
    const reason = 'all of them';
    expect(await many('/api/subject-revocations/batch', { subjects: [one, 'a\nb', two], reason })).toEqual([
      { subject: one, outcome: 'revoked' },
      { subject: 'a\nb', outcome: 'refused', error: expect.stringMatching(/^The subject /) },
      { subject: two, outcome: 'held' },
    ]);
    expect(await many('/api/subject-revocations/batch-lift', { subjects: [one, three], reason: 'undone' })).toEqual([
      { subject: one, outcome: 'lifted' },
      { subject: three, outcome: 'refused', error: 'The subject is not revoked.' },
    ]);
    const [found] = (await here.pair.get(`/api/subject-revocations?subject=${one}`)).json.subjectRevocations;
    expect(found).toMatchObject({ reason, liftReason: 'undone', liftedBy: 'shared-pair' });
    const auditor = await here.holder('auditeur');
    const { administrationActions } = (await auditor.get(`/api/administration-actions?target=subject:${one}`)).json;
    expect(administrationActions.map(({ action }: { action: string }) => action)).toEqual([
      'subject.lift',
      'subject.revoke',
    ]);
  });

  it('lose a role together, and keep it where only a group grants it', async () => {
    const [one, two] = [unique('one'), unique('two')];
    const role = 'utilisateur-standard';
    await many('/api/role-assignments/batch', { role, subjects: [one] });
    const removed = { role, subjects: [one, two] };
    expect(await many('/api/role-assignments/batch-removal', removed)).toEqual([
      { subject: one, outcome: 'removed' },
      { subject: two, outcome: 'refused', error: 'The subject does not have this role from a person.' },
    ]);
    expect((await here.pair.get(`/api/role-assignments?subject=${one}`)).json.roleAssignments).toEqual([]);
    const auditor = await here.holder('auditeur');
    for (const path of [
      'role-assignments/batch-removal',
      'subject-revocations/batch',
      'subject-revocations/batch-lift',
    ])
      expect((await auditor.post(`/api/${path}`, removed)).status, path).toBe(403);
  });
});

describe('a subject revocation', () => {
  // console-16
  it('is in force until it is lifted, and stays in the list', async () => {
    const subject = unique('subject');
    const made = await here.pair.create('/api/subject-revocations', { subject, reason: 'left the company' });
    expect(made).toMatchObject({ subject, reason: 'left the company', author: 'shared-pair', liftedAt: null });
    expect((await here.pair.post('/api/subject-revocations', { subject, reason: 'again' })).status).toBe(409);
    const lifted = await here.pair.post(`/api/subject-revocations/${made.id}/lift`, { reason: 'came back' });
    expect(lifted.json).toMatchObject({
      liftedBy: 'shared-pair',
      liftReason: 'came back',
      liftedAt: expect.any(String),
    });
    expect((await here.pair.post(`/api/subject-revocations/${made.id}/lift`, { reason: 'twice' })).json).toEqual(
      lifted.json,
    );
    const again = await here.pair.create('/api/subject-revocations', { subject, reason: 'left again' });
    const listed = await here.pair.get(`/api/subject-revocations?subject=${subject}`);
    expect(listed.json.subjectRevocations).toEqual([again, lifted.json]);
    const inForce = await here.pair.get(`/api/subject-revocations?subject=${subject}&inForce=true`);
    expect(inForce.json.subjectRevocations).toEqual([again]);
  });
  it('of nobody is 404', async () => {
    expect((await here.pair.post(`/api/subject-revocations/${NOBODY}/lift`, { reason: 'x' })).status).toBe(404);
  });
  it.each([
    ['reason', { subject: 'x' }],
    ['reason', { subject: 'x', reason: '' }],
    ['reason', { subject: 'x', reason: 'a\r\nb' }],
    ['reason', { subject: 'x', reason: 'a'.repeat(301) }],
    ['subject', { reason: 'x' }],
  ])('is refused with its %s: %j', async (field, body) => {
    const reply = await here.pair.post('/api/subject-revocations', body);
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, [field]]);
  });
});

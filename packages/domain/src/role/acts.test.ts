import type { Role } from '@gateway/contract';
import { violationOf } from '@gateway/database/client/conditions';
import { type Administering, administering, createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grantRole, revokeRole } from './acts.ts';
import { listRoles } from './owner.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const grant = (subject: string, role: Role, project: string | null = null, author?: string) =>
  administer((act) => grantRole(act, { subject, role, project }), author);
const revoke = (which: Parameters<typeof revokeRole>[1]) => administer((act) => revokeRole(act, which));

describe('a role', () => {
  // roles-14
  it('is granted once, with its author: a second grant changes neither author nor time', async () => {
    const first = await grant('ada', 'utilisateur-standard', null, 'grace');
    expect(first.entries).toMatchObject([
      { author: 'grace', action: 'role.grant', target: 'subject:ada', after: { role: 'utilisateur-standard' } },
    ]);
    expect(await grant('ada', 'utilisateur-standard', null, 'alan')).toEqual({ result: undefined, entries: [] });
    expect(await listRoles(database.sql, 'ada')).toMatchObject([{ author: 'grace' }]);
  });

  it('is revoked by its id or by what it says, and the entry has what was lost', async () => {
    const { result: one } = await grant('bob', 'utilisateur-standard');
    await grant('bob', 'administrateur-de-projet', 'apollo');
    const byId = await revoke({ id: one?.id ?? '' });
    const byWord = await revoke({ subject: 'bob', role: 'administrateur-de-projet', project: 'apollo' });
    expect([...byId.entries, ...byWord.entries]).toMatchObject([
      { action: 'role.revoke', before: { role: 'utilisateur-standard', project: null }, after: null },
      { action: 'role.revoke', before: { role: 'administrateur-de-projet', project: 'apollo' }, after: null },
    ]);
    expect(await revoke({ id: one?.id ?? '' })).toEqual({ result: false, entries: [] });
    expect(await listRoles(database.sql, 'bob')).toEqual([]);
  });

  it('of one project is another than that of a second project', async () => {
    await grant('carol', 'administrateur-de-projet', 'apollo');
    await grant('carol', 'administrateur-de-projet', 'gemini');
    expect((await revoke({ subject: 'carol', role: 'administrateur-de-projet', project: null })).result).toBe(false);
    await revoke({ subject: 'carol', role: 'administrateur-de-projet', project: 'apollo' });
    expect((await listRoles(database.sql, 'carol')).map(({ project }) => project)).toEqual(['gemini']);
  });

  it.each<[string, Role, string | null, string]>([
    ['of a project without a project', 'administrateur-de-projet', null, 'project_scope'],
    ['of the instance with a project', 'auditeur', 'apollo', 'project_scope'],
    ['of an unknown name', 'root' as Role, null, 'role_assignments_role_check'],
    ['of a project with a control character', 'administrateur-de-projet', 'a\tb', 'role_assignments_project_check'],
  ])('%s is refused', async (_, role, project, constraint) => {
    expect(await grant('dan', role, project).catch(violationOf)).toEqual({ kind: 'check', constraint });
    expect(await listRoles(database.sql, 'dan')).toEqual([]);
  });

  // roles-12
  it.each<[Role, string | null]>([
    ['administrateur-d-instance', null],
    ['administrateur-de-projet', 'apollo'],
  ])('of administration excludes audit, in both orders, until it is revoked: %s', async (role, project) => {
    const [one, other] = [`first-${role}`, `second-${role}`];
    const excluded = { kind: 'check', constraint: 'administration_excludes_audit' };
    await grant(one, role, project);
    expect(await grant(one, 'auditeur').catch(violationOf)).toEqual(excluded);
    await grant(other, 'auditeur');
    expect(await grant(other, role, project).catch(violationOf)).toEqual(excluded);
    await revoke({ subject: one, role, project });
    expect((await grant(one, 'auditeur')).result).toMatchObject({ role: 'auditeur' });
  });

  it('of a caller goes with any other', async () => {
    for (const [subject, role] of [
      ['erin', 'auditeur'],
      ['frank', 'administrateur-d-instance'],
    ] as const) {
      await grant(subject, 'utilisateur-standard');
      await grant(subject, role);
      expect(await listRoles(database.sql, subject)).toHaveLength(2);
    }
  });

  it('is refused at another isolation level, at which two grants would not see each other', async () => {
    const serializable = administer(async (act) => {
      await act.sql`set transaction isolation level serializable`;
      await grantRole(act, { subject: 'gina', role: 'auditeur', project: null });
    });
    await expect(serializable).rejects.toThrow('isolation level read committed alone');
  });
});

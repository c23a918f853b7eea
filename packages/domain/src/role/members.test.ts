import { violationOf } from '@gateway/database/client/conditions';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type Declare,
  declaring,
  type TestDatabase,
} from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changeAccount } from '../account/acts.ts';
import { lockUser } from '../account/console.ts';
import { setMemberPlan } from '../plan/acts.ts';
import { lockMemberPlan } from '../plan/console.ts';
import { addMember, removeMember, setMemberEnabled } from './acts.ts';
import { lockMember, readMember } from './console.ts';

let database: TestDatabase;
let administer: Administering;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  declare = declaring(database.sql);
});
afterAll(() => database.drop());

const join = (project: string, subject: string) => administer((act) => addMember(act, project, subject), 'ada');
const leave = (project: string, subject: string) => administer((act) => removeMember(act, project, subject), 'ada');
const enable = (project: string, subject: string, enabled: boolean) =>
  administer(async (act) => {
    const member = await lockMember(act.sql, project, subject);
    return member && setMemberEnabled(act, member, enabled);
  });

describe('a membership', () => {
  it('is added once, with its author, also for a subject that nobody knows yet', async () => {
    const { result, entries } = await join('apollo', 'unknown');
    expect(result).toMatchObject({ project: 'apollo', subject: 'unknown', addedBy: 'ada', registered: false });
    expect(entries).toMatchObject([
      { action: 'member.add', target: 'project:apollo/member:unknown', before: null, after: { addedBy: 'ada' } },
    ]);
    expect(await join('apollo', 'unknown')).toEqual({ result: undefined, entries: [] });
  });

  it('is removed once, and can be added again', async () => {
    await join('apollo', 'bob');
    const { result, entries } = await leave('apollo', 'bob');
    expect(result).toBe(true);
    expect(entries).toMatchObject([{ action: 'member.remove', before: { subject: 'bob' }, after: null }]);
    expect(await leave('apollo', 'bob')).toEqual({ result: false, entries: [] });
    expect((await join('apollo', 'bob')).entries).toHaveLength(1);
  });

  it('of another project stays when one is removed', async () => {
    await join('apollo', 'both');
    await join('gemini', 'both');
    await leave('apollo', 'both');
    expect(await readMember(database.sql, 'gemini', 'both')).toMatchObject({ project: 'gemini' });
  });

  it('is recorded once where two administrators add the same subject at the same moment', async () => {
    const lock = 'lock table project_members in share mode';
    const add = () => join('apollo', 'twin');
    const outcomes = await allAtOnce(database.sql, lock, add, add);
    const added = outcomes.filter((one) => one.status === 'fulfilled' && one.value.result !== undefined);
    expect(added).toHaveLength(1);
    const acts = await database.sql`
      select from administration_actions where action = 'member.add' and target = 'project:apollo/member:twin'`;
    expect(acts).toHaveLength(1);
  });

  it.each([
    ['a project', '', 'bob', 'project_members_project_check'],
    ['a project', 'a\u0007', 'bob', 'project_members_project_check'],
    ['a subject', 'apollo', 'b'.repeat(256), 'project_members_subject_check'],
  ])('with an unusable name of %s is refused: "%s"', async (_, project, subject, constraint) => {
    expect(await join(project, subject).catch(violationOf)).toEqual({ kind: 'check', constraint });
  });
});

describe('the account of a member', () => {
  it('is disabled and enabled by a project, which is recorded with the state before', async () => {
    await declare.account('carol');
    await join('apollo', 'carol');
    const off = await enable('apollo', 'carol', false);
    const on = await enable('apollo', 'carol', true);
    expect(off.entries).toMatchObject([
      { action: 'member.disable', before: { enabled: true }, after: { enabled: false, disabledBy: 'project' } },
    ]);
    expect(on.entries).toMatchObject([
      { action: 'member.enable', before: { enabled: false }, after: { enabled: true, disabledBy: null } },
    ]);
  });

  it('is not recorded again where it has the wanted state already', async () => {
    await declare.account('dan');
    await join('apollo', 'dan');
    expect((await enable('apollo', 'dan', true)).entries).toEqual([]);
    await enable('apollo', 'dan', false);
    expect((await enable('apollo', 'dan', false)).entries).toEqual([]);
  });

  it('is registered as disabled before its first call, so that this call is refused', async () => {
    await join('apollo', 'newcomer');
    await enable('apollo', 'newcomer', false);
    const rows = await database.sql`
      select origin, enabled, disabled_by_project as by_project from accounts where username = 'newcomer'`;
    expect([...rows]).toEqual([{ origin: 'directory', enabled: false, by_project: true }]);
  });

  // console-19
  it('that the instance disabled stays disabled, and a project cannot make the disabling its own', async () => {
    await declare.account('eve', { enabled: false });
    await join('apollo', 'eve');
    expect(await enable('apollo', 'eve', true)).toEqual({ result: undefined, entries: [] });
    expect((await enable('apollo', 'eve', false)).result).toMatchObject({ disabledBy: 'instance' });
    expect((await enable('apollo', 'eve', true)).result).toBeUndefined();
  });

  it('that one project disabled is enabled again by another project of the member', async () => {
    await declare.account('frank');
    await join('apollo', 'frank');
    await join('gemini', 'frank');
    await enable('apollo', 'frank', false);
    expect((await enable('gemini', 'frank', true)).result).toMatchObject({ enabled: true });
  });

  it('is enabled by the instance, and then a project can disable and enable it again', async () => {
    await declare.account('gina', { enabled: false });
    await join('apollo', 'gina');
    await administer(async (act) => {
      const locked = await lockUser(act.sql, { username: 'gina' });
      if (locked) await changeAccount(act, locked, { enabled: true });
    });
    await enable('apollo', 'gina', false);
    expect((await enable('apollo', 'gina', true)).result).toMatchObject({ enabled: true });
  });
});

describe('the account of a member that two administrators change at the same moment', () => {
  const lockOf = (subject: string) => `select from accounts where username = '${subject}' for update`;
  const acts = (subject: string) =>
    database.sql<{ action: string; before: { enabled: boolean }; after: { enabled: boolean } }[]>`
      select action, old_value::json as before, new_value::json as after from administration_actions
      where target = ${`project:apollo/member:${subject}`} and action <> 'member.add' order by sequence`;

  it('is recorded as disabled once', async () => {
    await declare.account('ines');
    await join('apollo', 'ines');
    const disable = () => enable('apollo', 'ines', false);
    await allAtOnce(database.sql, lockOf('ines'), disable, disable);
    expect(await acts('ines')).toHaveLength(1);
  });

  it('is recorded each time that it changes, with the state that each of them found', async () => {
    await declare.account('jon');
    await join('apollo', 'jon');
    await allAtOnce(
      database.sql,
      lockOf('jon'),
      () => enable('apollo', 'jon', false),
      () => enable('apollo', 'jon', true),
    );
    const [row] = await database.sql`select enabled from accounts where username = 'jon'`;
    let state = true;
    for (const { before, after } of await acts('jon')) {
      expect(before.enabled).toBe(state);
      state = after.enabled;
    }
    expect(state).toBe(row?.['enabled']);
  });
});

describe('the plan of a member', () => {
  it('is set and removed, each recorded with the plan before', async () => {
    const plan = await declare.plan('team', 10);
    await declare.account('hana');
    await join('apollo', 'hana');
    const give = (wanted: string | null) =>
      administer(async (act) => {
        const before = await lockMemberPlan(act.sql, 'apollo', 'hana');
        return before && setMemberPlan(act, 'apollo', before, wanted);
      });
    expect((await give(plan)).entries).toMatchObject([
      { action: 'member.plan', target: 'project:apollo/member:hana', before: { plan: null }, after: { plan } },
    ]);
    expect((await give(plan)).entries).toEqual([]);
    expect((await give(null)).entries).toMatchObject([{ before: { plan }, after: { plan: null } }]);
  });

  it('cannot be set for a subject outside the project, nor for one without an account', async () => {
    await declare.account('outsider');
    await join('apollo', 'no-account');
    expect(await lockMemberPlan(database.sql, 'apollo', 'outsider')).toBeUndefined();
    expect(await lockMemberPlan(database.sql, 'apollo', 'no-account')).toBeUndefined();
  });
});

import { violationOf } from '@gateway/database/client/conditions';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type Declare,
  declaring,
  digestOfKey,
  keyOf,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addMember } from '../role/acts.ts';
import {
  countProvisionedUsers,
  listProvisionedUsers,
  lockProvisionedUser,
  type WrittenProvisionedUser,
} from './console-provisioned.ts';
import { describeOidcIdentity, isLocalAccount } from './console-subjects.ts';
import {
  changeProvisionedUser,
  createProvisionedUser,
  deleteProvisionedUser,
  retireSubject,
} from './provisioned-acts.ts';
import { revokeSubject } from './subject-acts.ts';

let database: TestDatabase;
let administer: Administering;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  declare = declaring(database.sql);
});
afterAll(() => database.drop());

const person = (subject: string, more: Partial<WrittenProvisionedUser> = {}): WrittenProvisionedUser => ({
  id: uuid(),
  subject,
  userName: `${subject}@example.org`,
  externalId: null,
  active: true,
  attributes: {},
  ...more,
});
const provision = async (subject: string, more?: Partial<WrittenProvisionedUser>) =>
  (await administer((act) => createProvisionedUser(act, person(subject, more)))).result;
const look = (by: 'id' | 'userName' | 'externalId', value: string) =>
  listProvisionedUsers(database.sql, { by, value }, null);

describe('a provisioned user', () => {
  it('is read back with all that the identity provider wrote, and recorded whole', async () => {
    const attributes = {
      displayName: 'Zoë "Z" O’Neil \\ 😀',
      name: { givenName: 'Zoë', familyName: 'O’Neil' },
      emails: [
        { value: 'zoe@example.org', primary: true },
        { value: 'z@example.org', type: 'home' },
      ],
    };
    const written = person('zoe', { attributes, externalId: 'ext-1' });
    const { result, entries } = await administer((act) => createProvisionedUser(act, written));
    expect(result).toMatchObject(written);
    expect(await lockProvisionedUser(database.sql, written.id)).toEqual(result);
    expect(entries).toMatchObject([
      { action: 'scim-user.create', target: 'subject:zoe', before: null, after: { attributes, externalId: 'ext-1' } },
    ]);
  });

  it('is changed, and the entry has both states', async () => {
    const before = await provision('bob');
    const wanted = { ...person('bob'), id: before.id, active: false, externalId: 'ext-bob' };
    const { result, entries } = await administer((act) => changeProvisionedUser(act, before, wanted));
    expect(result).toMatchObject({ active: false, externalId: 'ext-bob', createdAt: before.createdAt });
    expect(entries).toMatchObject([
      { action: 'scim-user.change', before: { active: true, externalId: null }, after: { active: false } },
    ]);
  });

  it('is deleted, and can be provisioned again under the same names', async () => {
    const before = await provision('carol');
    const { entries } = await administer((act) => deleteProvisionedUser(act, before));
    expect(entries).toMatchObject([{ action: 'scim-user.delete', before: { subject: 'carol' }, after: null }]);
    expect(await lockProvisionedUser(database.sql, before.id)).toBeUndefined();
    expect((await provision('carol')).id).not.toBe(before.id);
  });

  it('has a user name of its own, in any case, and a subject of its own', async () => {
    await provision('dan', { userName: 'Dan@Example.org' });
    const sameName = provision('other', { userName: 'dan@example.ORG' }).catch(violationOf);
    expect(await sameName).toEqual({ kind: 'taken', constraint: 'provisioned_users_user_name' });
    const sameSubject = provision('dan', { userName: 'another' }).catch(violationOf);
    expect(await sameSubject).toEqual({ kind: 'taken', constraint: 'provisioned_users_subject_key' });
  });

  it('is created once where two workers of the identity provider create it at the same moment', async () => {
    const create = () => provision('twin');
    const outcomes = await allAtOnce(database.sql, 'lock table provisioned_users in share mode', create, create);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a look-up', () => {
  it('by user name ignores case, by external id and by id does not', async () => {
    const { id } = await provision('Élodie', { userName: 'Élodie@Example.org', externalId: 'EXT-9' });
    expect(await look('userName', 'éLODIE@example.ORG')).toMatchObject([{ id }]);
    expect(await look('externalId', 'EXT-9')).toMatchObject([{ id }]);
    expect(await look('externalId', 'ext-9')).toEqual([]);
    expect(await look('id', id)).toMatchObject([{ id }]);
  });

  it('of a value that is no id finds nobody, and is no error', async () => {
    expect(await look('id', "' or true --")).toEqual([]);
    expect(await countProvisionedUsers(database.sql, { by: 'id', value: 'not-an-id' })).toBe(0);
  });

  it('of a name with the signs of a pattern finds that name alone', async () => {
    await provision('percent', { userName: '100%_sure' });
    await provision('others', { userName: '100 is sure' });
    expect(await look('userName', '100%_SURE')).toMatchObject([{ subject: 'percent' }]);
  });

  it('reads all users in pages, in the order in which they were provisioned', async () => {
    const all = await listProvisionedUsers(database.sql, null, null);
    const pages = await Promise.all(
      Array.from({ length: Math.ceil(all.length / 2) + 1 }, (_, page) =>
        listProvisionedUsers(database.sql, null, { offset: page * 2, limit: 2 }),
      ),
    );
    expect(pages.flat()).toEqual(all);
    expect(await countProvisionedUsers(database.sql, null)).toBe(all.length);
    const instants = all.map(({ createdAt }) => createdAt.getTime());
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
  });
});

describe('a retired subject', () => {
  it('loses roles, memberships and keys, each recorded, so that a successor inherits nothing', async () => {
    await declare.account('leaver', { origin: 'directory' });
    await declare.grant('leaver', 'utilisateur-standard');
    await declare.grant('leaver', 'administrateur-de-projet', 'apollo');
    await administer((act) => addMember(act, 'apollo', 'leaver'));
    await administer((act) => addMember(act, 'gemini', 'leaver'));
    const { entries } = await administer((act) => retireSubject(act, 'leaver', 'deleted by the identity provider'));
    expect(entries.map(({ action, target }) => [action, target])).toEqual([
      ['subject.revoke', 'subject:leaver'],
      ['key.revoke', 'account:leaver'],
      ['member.remove', 'project:apollo/member:leaver'],
      ['member.remove', 'project:gemini/member:leaver'],
      ['role.revoke', 'subject:leaver'],
      ['role.revoke', 'subject:leaver'],
    ]);
    const left = await database.sql`
      select (select count(*)::int from role_assignments where subject = 'leaver') as roles,
        (select count(*)::int from project_members where subject = 'leaver') as projects,
        (select count(*)::int from account_keys where digest = ${digestOfKey(keyOf('leaver'))} and revoked_at is null) as keys`;
    expect([...left]).toEqual([{ roles: 0, projects: 0, keys: 0 }]);
  });

  it('that is retired again leaves no further entry', async () => {
    await declare.account('again', { origin: 'directory' });
    await administer((act) => retireSubject(act, 'again', 'first'));
    expect((await administer((act) => retireSubject(act, 'again', 'second'))).entries).toEqual([]);
  });

  it('that was revoked before keeps that revocation, and loses its rights all the same', async () => {
    await declare.grant('earlier', 'utilisateur-standard');
    await administer((act) => revokeSubject(act, 'earlier', 'by hand'));
    const { entries } = await administer((act) => retireSubject(act, 'earlier', 'by the identity provider'));
    expect(entries.map(({ action }) => action)).toEqual(['role.revoke']);
  });

  it('leaves the rights of others, also of a subject whose name contains its name', async () => {
    await declare.grant('ann', 'utilisateur-standard');
    await declare.grant('anna', 'utilisateur-standard');
    await administer((act) => retireSubject(act, 'ann', 'left'));
    expect(await database.sql`select subject from role_assignments where subject like 'ann%'`).toMatchObject([
      { subject: 'anna' },
    ]);
  });
});

describe('the registry of accounts', () => {
  const entry = async (username: string) => {
    const [row] = await database.sql`
      select origin, display_name as name, email, enabled from accounts where username = ${username}`;
    return row;
  };
  const enter = (subject: string, displayName: string | null) =>
    describeOidcIdentity(database.sql, { id: uuid(), subject, displayName, email: `${subject}@example.org` });

  it('shows the name of a provisioned person, and follows its changes', async () => {
    await enter('hana', 'Hana');
    await enter('hana', 'Hana K.');
    expect(await entry('hana')).toEqual({
      origin: 'directory',
      name: 'Hana K.',
      email: 'hana@example.org',
      enabled: true,
    });
  });

  it('keeps a local account of that name as it is', async () => {
    await declare.account('local-hana');
    await enter('local-hana', 'Somebody else');
    expect(await entry('local-hana')).toMatchObject({ origin: 'local', name: null, email: null });
    expect(await isLocalAccount(database.sql, 'local-hana')).toBe(true);
    expect(await isLocalAccount(database.sql, 'hana')).toBe(false);
  });

  it('does not enable a disabled account again', async () => {
    await declare.account('disabled-hana', { origin: 'directory', enabled: false });
    await enter('disabled-hana', 'Hana');
    expect(await entry('disabled-hana')).toMatchObject({ name: 'Hana', enabled: false });
  });
});

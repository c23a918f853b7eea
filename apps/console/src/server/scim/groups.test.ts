import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { GROUP, PATCH_OP, USER } from './schemas.ts';
import { isError, provisioned, provisioningClient, TOKEN } from './testing/provisioning.ts';

let here: TestConsole;
let scim: Client;
beforeAll(async () => {
  here = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  scim = provisioningClient(here);
});
afterAll(() => here.stop());

const make = async (displayName = unique('group'), more: object = {}) => {
  const reply = await scim.post('/scim/v2/Groups', { schemas: [GROUP], displayName, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.json as { id: string; displayName: string };
};
const patch = (id: string, ...Operations: readonly object[]) =>
  scim.patch(`/scim/v2/Groups/${id}`, { schemas: [PATCH_OP], Operations });
const membersOf = async (id: string): Promise<string[]> =>
  (await scim.get(`/scim/v2/Groups/${id}`)).json.members.map(({ value }: { value: string }) => value).toSorted();
const rolesOf = async (subject: string) =>
  (await here.pair.get(`/api/role-assignments?subject=${subject}`)).json.roleAssignments.map(
    ({ role, author }: { role: string; author: string }) => [role, author],
  );
const find = (kind: string, filter: string, more = '') =>
  scim.get(`/scim/v2/${kind}?filter=${encodeURIComponent(filter)}${more}`);

describe('a group', () => {
  it('takes the operations of Entra ID and Okta', async () => {
    const [ada, bob, eve] = [await provisioned(scim), await provisioned(scim), await provisioned(scim)];
    const { id, displayName } = await make();
    expect((await patch(id, { op: 'Add', path: 'members', value: [{ $ref: null, value: ada.id }] })).status).toBe(204);
    await patch(id, { op: 'Add', path: 'members', value: [{ value: bob.id }, { value: eve.id }] });
    await patch(id, { op: 'Remove', path: 'members', value: [{ value: bob.id }] });
    expect(await membersOf(id)).toEqual([ada.id, eve.id].toSorted());
    await patch(
      id,
      { op: 'remove', path: `members[value eq "${ada.id}"]` },
      { op: 'add', value: { members: [{ value: bob.id, display: 'Bob' }] } },
    );
    expect(await membersOf(id)).toEqual([bob.id, eve.id].toSorted());
    await patch(id, { op: 'replace', value: { id, displayName: `${displayName} renamed` } });
    const [found] = (await find('Groups', `displayName eq "${displayName} renamed"`, '&excludedAttributes=members'))
      .json.Resources;
    expect([found.id, 'members' in found]).toEqual([id, false]);
    await patch(id, { op: 'remove', path: 'members' });
    expect(await membersOf(id)).toEqual([]);
    expect((await scim.delete(`/scim/v2/Groups/${id}`)).status).toBe(204);
    isError(await scim.get(`/scim/v2/Groups/${id}`), 404);
  });

  it('is refused whole with an unknown member, a second time and without a name', async () => {
    const ada = await provisioned(scim);
    const { id, displayName } = await make(undefined, { members: [{ value: ada.id }] });
    const nobody = '01890000-0000-7000-8000-000000000000';
    isError(
      await patch(
        id,
        { op: 'Remove', path: 'members', value: [{ value: ada.id }] },
        { op: 'Add', path: 'members', value: [{ value: nobody }] },
      ),
      400,
      'invalidValue',
    );
    expect(await membersOf(id)).toEqual([ada.id]);
    isError(
      await scim.post('/scim/v2/Groups', { schemas: [GROUP], displayName: displayName.toUpperCase() }),
      409,
      'uniqueness',
    );
    isError(await scim.post('/scim/v2/Groups', { schemas: [GROUP] }), 400, 'invalidValue');
  });

  it('finds users by the work address', async () => {
    const value = `${unique('mail')}@example.org`;
    const { id } = await provisioned(scim, undefined, { emails: [{ type: 'work', value, primary: true }] });
    const found = await find('Users', `emails[type eq "work"].value eq "${value}"`);
    expect(found.json.Resources.map((one: { id: string }) => one.id)).toEqual([id]);
    expect((await find('Users', `emails[type eq "home"].value eq "${value}"`)).json.totalResults).toBe(0);
    expect(USER).toContain('User');
  });
});

describe('a mapping of a group', () => {
  it('gives members the role until the membership, the mapping or the user ends', async () => {
    const [ada, bob] = [await provisioned(scim), await provisioned(scim)];
    const { id, displayName } = await make(undefined, { members: [{ value: ada.id }] });
    const mapping = await here.pair.create('/api/group-roles', { group: displayName, role: 'utilisateur-standard' });
    const held = [['utilisateur-standard', `scim:${displayName}`]];
    expect(await rolesOf(ada.userName)).toEqual(held);
    await patch(id, { op: 'Add', path: 'members', value: [{ value: bob.id }] });
    expect(await rolesOf(bob.userName)).toEqual(held);
    await patch(id, { op: 'Remove', path: 'members', value: [{ value: bob.id }] });
    expect(await rolesOf(bob.userName)).toEqual([]);
    expect(
      (await here.pair.post('/api/group-roles', { group: displayName, role: 'utilisateur-standard' })).status,
    ).toBe(409);
    const [assignment] = (await here.pair.get(`/api/role-assignments?subject=${ada.userName}`)).json.roleAssignments;
    expect((await here.pair.delete(`/api/role-assignments/${assignment.id}`)).status).toBe(409);
    expect((await here.pair.delete(`/api/group-roles/${mapping.id}`)).status).toBe(204);
    expect(await rolesOf(ada.userName)).toEqual([]);
  });

  it("leaves a person's grant, and lists the members that the exclusion refuses", async () => {
    const [ada, watcher] = [await provisioned(scim), await provisioned(scim)];
    await here.pair.create('/api/role-assignments', { subject: watcher.userName, role: 'auditeur' });
    const { id, displayName } = await make(undefined, { members: [{ value: ada.id }, { value: watcher.id }] });
    const mapping = await here.pair.create('/api/group-roles', {
      group: displayName,
      role: 'administrateur-d-instance',
    });
    const [listed] = (await here.pair.get(`/api/group-roles?group=${displayName}`)).json.groupRoles;
    expect(listed).toMatchObject({ id: mapping.id, members: 2, refused: [watcher.userName] });
    await here.pair.create('/api/role-assignments', { subject: ada.userName, role: 'administrateur-d-instance' });
    await scim.delete(`/scim/v2/Groups/${id}`);
    expect(await rolesOf(ada.userName)).toEqual([['administrateur-d-instance', 'shared-pair']]);
  });
});

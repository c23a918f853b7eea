import { Schemas } from 'scimmy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { USER } from './schemas.ts';
import { isError, PATCH, provisioned, provisioningClient, setActive, TOKEN } from './testing/provisioning.ts';

/** In two parts, so that no scanner takes this file for a leak. */
const TOKEN_OF_ANOTHER = ['ghp_', 'aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA1bC2'].join('');

let hosted: TestConsole;
let scim: Client;
beforeAll(async () => {
  hosted = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  scim = provisioningClient(hosted);
});
afterAll(() => hosted.stop());

const actsOn = (subject: string) =>
  hosted.database.sql<{ action: string; author: string }[]>`
    select action, author from administration_actions where target like ${`%${subject}`} order by sequence`;

describe('a user', () => {
  it('is deactivated and named by the requests that Entra ID and Okta send, in their forms', async () => {
    const created = await scim.send('POST', '/scim/v2/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: 'mail-nickname',
      userName: 'Forms@Example.com',
      active: true,
      displayName: 'Forms',
      emails: [{ primary: true, type: 'work', value: 'forms@example.com' }],
      meta: { resourceType: 'User' },
      name: { formatted: 'given family', familyName: 'family', givenName: 'given' },
      roles: [],
      groups: [],
    });
    expect(created.status).toBe(201);
    const { id } = created.json as { id: string };
    const patched = async (...Operations: object[]) => {
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'], Operations };
      return (await scim.send('PATCH', `/scim/v2/Users/${id}`, body)).json as Record<string, unknown>;
    };
    expect(await patched({ op: 'Replace', path: 'active', value: 'False' })).toMatchObject({ active: false });
    expect(await patched({ op: 'REPLACE', value: { active: true, 'name.familyName': 'Other' } })).toMatchObject({
      active: true,
      name: { familyName: 'Other', givenName: 'given' },
    });
    expect(
      await patched(
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'new@example.com' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
        { op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:displayName', value: 'New' },
      ),
    ).toMatchObject({ displayName: 'New', emails: [{ type: 'work', value: 'new@example.com' }] });
    const found = async (filter: string) =>
      (await scim.get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`)).json;
    for (const filter of [
      'userName eq "forms@example.com"',
      'externalId eq "mail-nickname"',
      'USERNAME Eq "FORMS@EXAMPLE.COM"',
    ]) {
      expect(await found(filter)).toMatchObject({ totalResults: 1, Resources: [{ id }] });
    }
    expect(await found('userName eq "nobody"')).toMatchObject({ totalResults: 0, Resources: [] });
    expect((await scim.send('DELETE', `/scim/v2/Users/${id}`)).status).toBe(204);
  });

  it('is created, read, replaced and deleted, as RFC 7644 shows it, and its representation is one of the core schema', async () => {
    const userName = unique('bjensen');
    const body = {
      schemas: [USER],
      userName,
      externalId: userName,
      name: { formatted: 'Ms. Barbara J Jensen III', familyName: 'Jensen', givenName: 'Barbara' },
      password: 't1meMa$heen',
      nickName: 'Babs',
    };
    const created = await scim.post('/scim/v2/Users', body);
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/scim/v2/Users/${created.json.id}`);
    expect(created.json).toMatchObject({
      schemas: [USER],
      userName,
      externalId: userName,
      name: body.name,
      active: true,
    });
    expect(created.json.meta).toMatchObject({ resourceType: 'User', location: created.headers.get('location') });
    expect(JSON.stringify(created.json)).not.toMatch(/t1meMa|nickName/);
    expect(() => new Schemas.User(created.json, 'out')).not.toThrow();

    const address = `/scim/v2/Users/${created.json.id}`;
    expect((await scim.get(address)).json).toEqual(created.json);
    expect((await scim.get(`${address}?attributes=userName,name.givenName`)).json).toEqual({
      schemas: [USER],
      id: created.json.id,
      userName,
      name: { givenName: 'Barbara' },
    });
    expect((await scim.get(`${address}?excludedAttributes=name,meta`)).json).not.toHaveProperty('name');

    const replaced = await scim.send('PUT', address, {
      schemas: [USER],
      userName,
      displayName: 'Babs',
      active: 'True',
    });
    expect(replaced.json).toMatchObject({ userName, displayName: 'Babs', active: true });
    expect(replaced.json).not.toHaveProperty('name');
    expect((await scim.delete(address)).status).toBe(204);
    isError(await scim.get(address), 404);
    isError(await scim.delete(address), 404);
    isError(await scim.patch('/scim/v2/Users/nonsense', setActive(false)), 404);
    expect((await actsOn(userName)).map(({ action }) => action)).toEqual([
      'scim-user.create',
      'scim-user.change',
      'scim-user.delete',
      'subject.revoke',
    ]);
    expect(new Set((await actsOn(userName)).map(({ author }) => author))).toEqual(new Set(['scim']));
  });

  it('is refused with its next call once it is deactivated, as each of both providers does it, and served again', async () => {
    for (const deactivation of [
      setActive('False'),
      { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] },
    ]) {
      const person = await hosted.holder('utilisateur-standard', 'administrateur-d-instance');
      const { id } = await provisioned(scim, person.username);
      expect((await person.get('/api/subjects')).status).toBe(200);
      expect((await scim.patch(`/scim/v2/Users/${id}`, deactivation)).json).toMatchObject({ active: false });
      expect((await person.get('/api/subjects')).status).toBe(403);
      expect((await scim.patch(`/scim/v2/Users/${id}`, setActive(true))).json).toMatchObject({ active: true });
      expect((await person.get('/api/subjects')).status).toBe(200);
      expect((await actsOn(person.username)).map(({ action }) => action).slice(-4)).toEqual([
        'scim-user.change',
        'subject.revoke',
        'scim-user.change',
        'subject.lift',
      ]);
    }
  });

  it('that an administrator revoked is not served again over SCIM', async () => {
    const person = await hosted.holder('administrateur-d-instance');
    const { id } = await provisioned(scim, person.username);
    const revoked = await hosted.pair.post('/api/subject-revocations', { subject: person.username, reason: 'misuse' });
    expect(revoked.status).toBe(201);
    await scim.patch(`/scim/v2/Users/${id}`, setActive(false));
    await scim.patch(`/scim/v2/Users/${id}`, setActive(true));
    expect((await person.get('/api/subjects')).status).toBe(403);
  });

  it('that is deleted loses its roles: a user provisioned later under the same name has none', async () => {
    const person = await hosted.holder('utilisateur-standard', { role: 'administrateur-de-projet', project: 'north' });
    await hosted.pair.post('/api/projects/north/members', { subject: person.username });
    const { id } = await provisioned(scim, person.username);
    expect((await scim.delete(`/scim/v2/Users/${id}`)).status).toBe(204);
    const rights = () => hosted.database.sql`
      select subject from role_assignments where subject = ${person.username}
      union all select subject from project_members where subject = ${person.username}`;
    expect(await rights()).toEqual([]);
    await provisioned(scim, person.username);
    // The key of the person who left does not work with the roles of the new user.
    expect((await person.get('/api/projects/own')).status).toBe(401);
    expect(await rights()).toEqual([]);
    const acts = (await actsOn(person.username)).map(({ action }) => action);
    expect(acts.slice(-9)).toEqual([
      'scim-user.create',
      'scim-user.delete',
      'subject.revoke',
      'key.revoke',
      'member.remove',
      'role.revoke',
      'role.revoke',
      'scim-user.create',
      'subject.lift',
    ]);
  });

  it('that is renamed is another subject, and the old one is refused without its roles', async () => {
    const person = await hosted.holder('administrateur-d-instance');
    const { id } = await provisioned(scim, person.username);
    const renamed = unique('renamed');
    const reply = await scim.patch(`/scim/v2/Users/${id}`, {
      schemas: [PATCH],
      Operations: [{ op: 'Replace', path: 'userName', value: renamed }],
    });
    expect(reply.json).toMatchObject({ id, userName: renamed, active: true });
    expect((await person.get('/api/subjects')).status).toBe(401); // its key is revoked too
    expect(
      await hosted.database.sql`select from role_assignments where subject in (${person.username}, ${renamed})`,
    ).toEqual([]);
  });

  it('created inactive is refused from the beginning, and one write of the same changes nothing', async () => {
    const person = await hosted.holder('administrateur-d-instance');
    const { id } = await provisioned(scim, person.username, { active: false });
    expect((await person.get('/api/subjects')).status).toBe(403);
    const acts = (await actsOn(person.username)).length;
    const before = (await scim.get(`/scim/v2/Users/${id}`)).json;
    expect((await scim.patch(`/scim/v2/Users/${id}`, setActive(false))).json).toEqual(before);
    expect(
      (await scim.send('PUT', `/scim/v2/Users/${id}`, { schemas: [USER], userName: person.username })).json,
    ).toEqual(before);
    expect(await actsOn(person.username)).toHaveLength(acts);
  });

  it('is unique by its name, in any case, also if two requests are concurrent', async () => {
    const userName = unique('Twice');
    const create = (name: string) => scim.post('/scim/v2/Users', { schemas: [USER], userName: name });
    const both = await Promise.all([create(userName), create(userName)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
    isError(await create(userName.toUpperCase()), 409, 'uniqueness');
  });

  it.each([
    [{}, 'invalidSyntax'],
    [{ schemas: [USER] }, 'invalidValue'],
    [{ schemas: [USER], userName: 7 }, 'invalidValue'],
    [{ schemas: [USER], userName: 'a\u0000b' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'x'.repeat(256) }, 'invalidValue'],
    [{ schemas: [USER], userName: 'shared-pair' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'scim' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'workload:github:a/b@c' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'a', active: 'maybe' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'a', emails: 'a@b.c' }, 'invalidValue'],
    [{ schemas: [USER], userName: 'a', name: [] }, 'invalidValue'],
    [{ schemas: [USER], userName: 'a', displayName: TOKEN_OF_ANOTHER }, 'invalidValue'],
  ])('that is invalid is refused with the reason: %j', async (body, scimType) => {
    const reply = await scim.post('/scim/v2/Users', body);
    expect(reply.json.scimType).toBe(scimType);
    isError(reply, 400, scimType);
  });

  it('comes as JSON of either media type, and as nothing else', async () => {
    isError(await scim.post('/scim/v2/Users', '{', {}), 400, 'invalidSyntax');
    isError(await scim.post('/scim/v2/Users', '[]', {}), 400, 'invalidSyntax');
    isError(
      await scim.post('/scim/v2/Users', 'userName=a', { 'content-type': 'application/x-www-form-urlencoded' }),
      415,
    );
    isError(await scim.post('/scim/v2/Users', `"${'x'.repeat(1_100_000)}"`), 413);
    const json = { 'content-type': 'application/json; charset=utf-8' };
    expect((await scim.post('/scim/v2/Users', { schemas: [USER], userName: unique('json') }, json)).status).toBe(201);
  });
});

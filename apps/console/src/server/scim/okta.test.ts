import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { PATCH_OP as PATCH, USER } from './schemas.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

let here: TestConsole;
let okta: Client;
beforeAll(async () => {
  here = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  okta = here.withHeaders({
    // Okta sends what the administrator typed, also with another case of the scheme.
    authorization: `bearer ${TOKEN}`,
    'content-type': 'application/scim+json; charset=utf-8',
    accept: 'application/scim+json',
    'user-agent': 'Okta SCIM Client 1.0.0',
  });
});
afterAll(() => here.stop());

/** A user as Okta pushes it, with a generated password. */
const profile = (userName: string, more: object = {}) => ({
  schemas: [USER],
  userName,
  name: { givenName: 'Grace', familyName: 'Hopper' },
  emails: [{ primary: true, value: userName, type: 'work' }],
  displayName: 'Grace Hopper',
  locale: 'en-US',
  externalId: `00u${userName.replaceAll(/\W/g, '')}`,
  groups: [],
  password: '1mz050nq',
  active: true,
  ...more,
});
const created = async (userName = `${unique('grace')}@example.com`) => {
  const reply = await okta.post('/scim/v2/Users', profile(userName));
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.json.id as string, userName };
};

describe('a person that is assigned in Okta', () => {
  it('is looked up by name in a page of a hundred, then created', async () => {
    const userName = `${unique('grace')}@example.com`;
    const filter = encodeURIComponent(`userName eq "${userName}"`);
    const asked = `/scim/v2/Users?filter=${filter}&startIndex=1&count=100`;
    expect((await okta.get(asked)).json).toMatchObject({ totalResults: 0, startIndex: 1, Resources: [] });
    const { id } = await created(userName);
    expect((await okta.get(asked)).json).toMatchObject({
      totalResults: 1,
      Resources: [{ id, userName, active: true }],
    });
  });
  it('keeps no password, in no answer and in no table', async () => {
    const { id } = await created();
    expect((await okta.get(`/scim/v2/Users/${id}`)).text).not.toMatch(/1mz050nq|password/);
    const [{ stored }] = (await here.database.sql`
      select (select string_agg(u::text, '') from provisioned_users u) ||
        (select string_agg(a::text, '') from administration_actions a) as stored`) as unknown as [{ stored: string }];
    expect(stored).not.toContain('1mz050nq');
  });
  it('is updated by sending the whole profile, as it was read', async () => {
    const { id, userName } = await created();
    const read = (await okta.get(`/scim/v2/Users/${id}`)).json as { meta: { created: string; location: string } };
    const put = await okta.send('PUT', `/scim/v2/Users/${id}`, {
      ...read,
      name: { givenName: 'Grace', familyName: 'Murray' },
      displayName: 'Grace Murray',
    });
    expect([put.status, put.json]).toMatchObject([
      200,
      { id, userName, name: { familyName: 'Murray' }, displayName: 'Grace Murray', active: true },
    ]);
    expect(put.json.meta).toMatchObject({ created: read.meta.created, location: read.meta.location });
  });
  it('is not changed by the same profile again: no act, no new time of change', async () => {
    const { id, userName } = await created();
    const read = (await okta.get(`/scim/v2/Users/${id}`)).json;
    expect((await okta.send('PUT', `/scim/v2/Users/${id}`, profile(userName))).json).toEqual(read);
    const acts = await here.database.sql`
      select from administration_actions where action = 'scim-user.change' and target like ${`%${userName}`}`;
    expect(acts).toEqual([]);
  });
});

describe('a person that is unassigned in Okta', () => {
  it.each([
    ['by PATCH', 'PATCH', { schemas: [PATCH], Operations: [{ op: 'replace', value: { active: false } }] }],
    ['by PUT', 'PUT', null],
  ])('is refused with the next request, and served again once assigned: %s', async (_, method, body) => {
    const person = await here.holder('auditeur');
    const { id } = await created(person.username);
    const gone = await okta.send(method, `/scim/v2/Users/${id}`, body ?? profile(person.username, { active: false }));
    expect([gone.status, gone.json.active]).toEqual([200, false]);
    expect((await person.get('/api/session')).status).toBe(403);
    const back = await okta.send('PUT', `/scim/v2/Users/${id}`, profile(person.username));
    expect(back.json.active).toBe(true);
    expect((await person.get('/api/session')).status).toBe(200);
  });
  it('stays refused by a profile that does not mention it', async () => {
    const person = await here.holder('auditeur');
    const { id } = await created(person.username);
    await okta.send('PUT', `/scim/v2/Users/${id}`, profile(person.username, { active: false }));
    const { active: _, ...silent } = profile(person.username, { displayName: 'Other' });
    for (const sent of [silent, { ...silent, active: null }, { ...silent, displayName: 'Third', ACTIVE: null }]) {
      const put = await okta.send('PUT', `/scim/v2/Users/${id}`, sent);
      expect(put.json).toMatchObject({ active: false, displayName: sent.displayName });
    }
    expect((await person.get('/api/session')).status).toBe(403);
  });
});

describe('an import into Okta', () => {
  it('reads every person once, page by page, also a person that is created meanwhile', async () => {
    await here.database.sql`
      insert into provisioned_users (id, subject, user_name, external_id, active, attributes)
      select gen_random_uuid(), 'import-' || n, 'import-' || n, null, true, '{}' from generate_series(1, 450) n`;
    const ids: string[] = [];
    let total = 1;
    for (let start = 1; start <= total; start += 200) {
      const { json } = await okta.get(`/scim/v2/Users?startIndex=${start}&count=200`);
      total = json.totalResults as number;
      expect(json.itemsPerPage).toBe(Math.min(200, total - start + 1));
      ids.push(...(json.Resources as { id: string }[]).map(({ id }) => id));
      if (start === 1) await created(`zz-${unique('late')}@example.com`);
    }
    expect([ids.length, new Set(ids).size]).toEqual([total, total]);
  });
  it('gets at most 200 people in one page, whatever it asks for', async () => {
    const { json } = await okta.get('/scim/v2/Users?startIndex=1&count=5000');
    expect([json.itemsPerPage, json.Resources.length]).toEqual([200, 200]);
    expect(json.totalResults).toBeGreaterThan(400);
    const beyond = (await okta.get('/scim/v2/Users?startIndex=99999&count=100')).json;
    expect(beyond).toMatchObject({
      totalResults: json.totalResults,
      startIndex: 99_999,
      itemsPerPage: 0,
      Resources: [],
    });
  });
  it('pages through what a filter without an index finds', async () => {
    const filter = encodeURIComponent('userName sw "import-" and active eq true');
    const page = async (start: number) =>
      (await okta.get(`/scim/v2/Users?filter=${filter}&startIndex=${start}&count=200&attributes=userName`)).json;
    const pages = [await page(1), await page(201), await page(401)];
    expect(pages.map(({ totalResults, itemsPerPage }) => [totalResults, itemsPerPage])).toEqual([
      [450, 200],
      [450, 200],
      [450, 50],
    ]);
    const names = pages.flatMap(({ Resources }) =>
      (Resources as { userName: string }[]).map(({ userName }) => userName),
    );
    expect(new Set(names).size).toBe(450);
    expect(Object.keys(pages[0].Resources[0]).toSorted()).toEqual(['id', 'schemas', 'userName']);
  });
});

describe('what Okta asks for beyond people', () => {
  it('is refused in the form of the protocol: a bulk request, an unknown address', async () => {
    for (const [reply, status, detail] of [
      [await okta.post('/scim/v2/Bulk', {}), 501, '/Bulk is not supported here. See ServiceProviderConfig.'],
      [await okta.get('/scim/v2/Me'), 501, '/Me is not supported here. See ServiceProviderConfig.'],
      [await okta.get('/scim/v2/Users/a/b'), 404, 'There is no such resource here.'],
      [await okta.get('/scim/v2/%ff'), 404, 'There is no such resource here.'],
      [await okta.send('PUT', '/scim/v2/Users', {}), 405, 'PUT is not served here.'],
      [await okta.post(`/scim/v2/Users/${crypto.randomUUID()}`, {}), 405, 'POST is not served here.'],
    ] as const) {
      expect([reply.status, reply.json]).toEqual([
        status,
        { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(status), detail },
      ]);
    }
  });
});

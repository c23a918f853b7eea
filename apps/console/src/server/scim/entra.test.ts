import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Reply } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { PATCH_OP as PATCH, USER } from './schemas.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';
const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

let here: TestConsole;
let entra: Client;
beforeAll(async () => {
  here = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  entra = here.withHeaders({
    authorization: `Bearer ${TOKEN}`,
    'content-type': 'application/scim+json',
    accept: 'application/scim+json',
    'user-agent': 'Azure AD SCIM Client',
  });
});
afterAll(() => here.stop());

/** A user as Entra ID sends it with the attribute mapping of a new application. */
const person = (userName: string) => ({
  schemas: [USER, ENTERPRISE],
  externalId: userName.split('@')[0],
  userName,
  active: true,
  addresses: [
    { primary: false, type: 'work', country: 'FR', formatted: null, locality: 'Lyon', streetAddress: 'Rue 1' },
  ],
  displayName: 'Ada Lovelace',
  emails: [{ primary: true, type: 'work', value: userName }],
  meta: { resourceType: 'User' },
  name: { formatted: 'Ada Lovelace', familyName: 'Lovelace', givenName: 'Ada' },
  phoneNumbers: [{ primary: false, type: 'mobile', value: '+33 1' }],
  roles: [],
  title: 'Engineer',
  [ENTERPRISE]: { employeeNumber: '7', department: 'Research', manager: { value: 'nobody' } },
});
const created = async (userName = `${unique('ada')}@example.com`) => {
  const reply = await entra.post('/scim/v2/Users', person(userName));
  expect(reply.status, reply.text).toBe(201);
  return { id: reply.json.id as string, userName };
};
const patch = (id: string, ...Operations: object[]): Promise<Reply> =>
  entra.patch(`/scim/v2/Users/${id}`, { schemas: [PATCH], Operations });
const found = async (filter: string, more = '') =>
  (await entra.get(`/scim/v2/Users?filter=${encodeURIComponent(filter)}${more}`)).json;

describe('"Test Connection"', () => {
  it('looks for a user that cannot exist, and gets an empty list', async () => {
    expect(await found(`userName eq "${crypto.randomUUID()}"`)).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
      totalResults: 0,
      startIndex: 1,
      itemsPerPage: 0,
      Resources: [],
    });
  });
  it('with a wrong secret gets 401 in the form of the protocol', async () => {
    const reply = await here.withHeaders({ authorization: `Bearer ${TOKEN}x` }).get('/scim/v2/Users?count=1');
    expect([reply.status, reply.headers.get('content-type'), reply.json]).toEqual([
      401,
      'application/scim+json; charset=utf-8',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: '401',
        detail: 'The provisioning token is wrong.',
      },
    ]);
  });
});

describe('a person of Entra ID', () => {
  it('is looked up, created, and found again by the same question', async () => {
    const userName = `${unique('ada')}@example.com`;
    expect((await found(`userName eq "${userName}"`)).totalResults).toBe(0);
    const { id } = await created(userName);
    const again = await found(`userName eq "${userName}"`);
    expect([again.totalResults, again.Resources[0]]).toMatchObject([
      1,
      { id, userName, displayName: 'Ada Lovelace', emails: [{ primary: true, type: 'work', value: userName }] },
    ]);
    expect(JSON.stringify(again)).not.toMatch(/Lyon|\+33|Engineer|Research/);
  });
  it('that was provisioned already is 409, so that Entra ID matches instead of creating', async () => {
    const { userName } = await created();
    const reply = await entra.post('/scim/v2/Users', person(userName));
    expect([reply.status, reply.json]).toEqual([
      409,
      expect.objectContaining({ status: '409', scimType: 'uniqueness', detail: 'Another user has this userName.' }),
    ]);
  });
  it('is changed by one operation for each attribute, with unknown ones among them', async () => {
    const { id, userName } = await created();
    const reply = await patch(
      id,
      { op: 'Replace', path: 'displayName', value: 'Ada King' },
      { op: 'Replace', path: 'name.familyName', value: 'King' },
      { op: 'Add', path: 'title', value: 'Countess' },
      { op: 'Add', path: `${ENTERPRISE}:manager`, value: 'somebody' },
      { op: 'Replace', path: 'addresses[type eq "work"].country', value: 'GB' },
      { op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: '+44' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'ada.king@example.com' },
    );
    expect([reply.status, reply.json]).toMatchObject([
      200,
      {
        id,
        userName,
        displayName: 'Ada King',
        name: { formatted: 'Ada Lovelace', familyName: 'King', givenName: 'Ada' },
        emails: [{ type: 'work', value: 'ada.king@example.com', primary: true }],
      },
    ]);
    expect(reply.json).not.toHaveProperty('title');
  });
  it('is changed whole or not at all: one bad operation undoes those before it', async () => {
    const { id } = await created();
    const before = (await entra.get(`/scim/v2/Users/${id}`)).json;
    const reply = await patch(
      id,
      { op: 'Replace', path: 'displayName', value: 'Half' },
      { op: 'Replace', path: 'active', value: 'perhaps' },
    );
    expect([reply.status, reply.json.scimType, reply.json.detail]).toEqual([
      400,
      'invalidValue',
      'active must be true or false.',
    ]);
    expect((await entra.get(`/scim/v2/Users/${id}`)).json).toEqual(before);
  });
  it.each([
    ['as text', { op: 'Replace', path: 'active', value: 'False' }],
    ['as a boolean', { op: 'replace', path: 'active', value: false }],
    ['wrapped', { op: 'Replace', path: 'active', value: [{ value: 'False' }] }],
    ['without a path', { op: 'Replace', value: { active: false } }],
    ['with the schema before it', { op: 'replace', path: `${USER}:active`, value: false }],
  ])('who leaves is refused with the next request, on each form of the operation: %s', async (_, operation) => {
    const leaving = await here.holder('administrateur-d-instance');
    const { id } = await created(leaving.username);
    expect((await leaving.get('/api/providers')).status).toBe(200);
    expect((await patch(id, operation)).json.active).toBe(false);
    expect((await leaving.get('/api/providers')).json.error).toMatch(
      /^Your access to this instance has been revoked\./,
    );
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'True' })).json.active).toBe(true);
    expect((await leaving.get('/api/providers')).status).toBe(200);
  });
  it('loses an attribute that was emptied in the directory', async () => {
    const { id } = await created();
    const reply = await patch(
      id,
      { op: 'Remove', path: 'displayName' },
      { op: 'Remove', path: 'emails[type eq "work"].value' },
      { op: 'Remove', path: 'name.formatted' },
    );
    expect(reply.status).toBe(200);
    expect(reply.json).not.toHaveProperty('displayName');
    expect(reply.json).not.toHaveProperty('emails');
    expect(reply.json.name).toEqual({ familyName: 'Lovelace', givenName: 'Ada' });
  });
  it('deleted for good is gone for the next request, and unknown to the directory', async () => {
    const { id, userName } = await created();
    expect([
      (await entra.delete(`/scim/v2/Users/${id}`)).status,
      (await entra.delete(`/scim/v2/Users/${id}`)).status,
    ]).toEqual([204, 404]);
    expect((await found(`userName eq "${userName}"`)).totalResults).toBe(0);
    expect((await patch(id, { op: 'Replace', path: 'active', value: 'True' })).json.detail).toBe(
      'There is no such user.',
    );
  });
});

describe('requests that arrive at once', () => {
  it('change one person one after the other, and lose no attribute', async () => {
    const { id } = await created();
    const replies = await Promise.all([
      patch(id, { op: 'Replace', path: 'displayName', value: 'A' }),
      patch(id, { op: 'Replace', path: 'name.familyName', value: 'B' }),
      patch(id, { op: 'Replace', path: 'name.givenName', value: 'C' }),
      patch(id, { op: 'Add', path: 'emails[type eq "home"].value', value: 'd@example.com' }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await entra.get(`/scim/v2/Users/${id}`)).json).toMatchObject({
      displayName: 'A',
      name: { familyName: 'B', givenName: 'C' },
      emails: [{ type: 'work' }, { type: 'home', value: 'd@example.com' }],
    });
  });
  it('deactivate and delete one person: in the end the subject is revoked', async () => {
    for (let round = 0; round < 3; round += 1) {
      const leaving = await here.holder('auditeur');
      const { id } = await created(leaving.username);
      const [, removed] = await Promise.all([
        patch(id, { op: 'Replace', path: 'active', value: 'False' }),
        entra.delete(`/scim/v2/Users/${id}`),
      ]);
      expect(removed.status).toBe(204);
      const [{ revoked }] = (await here.database.sql`
        select count(*)::int as revoked from subject_revocations
        where subject = ${leaving.username} and lifted_at is null`) as unknown as [{ revoked: number }];
      expect([revoked, (await leaving.get('/api/session')).status]).toEqual([1, 401]);
    }
  });
  it('rename two people to one name: one of them keeps its own', async () => {
    const [one, other] = [await created(), await created()];
    const userName = `${unique('wanted')}@example.com`;
    const replies = await Promise.all(
      [one, other].map(({ id }) => patch(id, { op: 'Replace', path: 'userName', value: userName })),
    );
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect((await found(`userName eq "${userName}"`)).totalResults).toBe(1);
  });
});

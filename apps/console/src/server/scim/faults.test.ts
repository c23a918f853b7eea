import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { PATCH_OP as PATCH, USER } from './schemas.ts';

const TOKEN = '0123456789abcdef0123456789abcdef';

let here: TestConsole;
let scim: Client;
let id: string;
const userName = unique('person');
beforeAll(async () => {
  here = await startTestConsole({ environment: { CONSOLE_SCIM_TOKEN: TOKEN } });
  scim = here.withHeaders({ authorization: `Bearer ${TOKEN}`, 'content-type': 'application/scim+json' });
  ({ id } = await scim.create('/scim/v2/Users', {
    schemas: [USER],
    userName,
    displayName: 'Person',
    emails: [{ value: 'a@example.com', type: 'work', primary: true }],
  }));
});
afterAll(() => here.stop());

describe('an operation that cannot be done', () => {
  it.each<[object, string, string]>([
    [{ op: 'move', path: 'active', value: true }, 'invalidSyntax', 'op must be add, replace or remove.'],
    [{ path: 'active', value: true }, 'invalidSyntax', 'op must be add, replace or remove.'],
    [{ op: 'replace', path: 7, value: true }, 'invalidPath', 'path must be text.'],
    [
      { op: 'replace', path: 'emails[type eq "work"', value: 'x' },
      'invalidPath',
      'The path "emails[type eq "work"" cannot be read.',
    ],
    [
      { op: 'replace', path: 'emails[type like "w"].value', value: 'x' },
      'invalidFilter',
      'The filter has "like" where an operator should be.',
    ],
    [{ op: 'remove' }, 'noTarget', 'remove needs a path.'],
    [{ op: 'add', value: 'x' }, 'invalidValue', 'Without a path, value must be an object.'],
    [{ op: 'replace', path: 'displayName' }, 'invalidValue', 'replace needs a value.'],
    [{ op: 'replace', path: 'id', value: 'x' }, 'mutability', 'id is read-only.'],
    [{ op: 'remove', path: 'userName' }, 'mutability', 'userName cannot be removed.'],
    [{ op: 'replace', path: 'userName.part', value: 'x' }, 'invalidPath', 'userName has no parts.'],
    [{ op: 'replace', path: 'name', value: 'x' }, 'invalidValue', 'name must be an object.'],
    [{ op: 'replace', path: 'userName', value: '' }, 'invalidValue', 'userName is missing.'],
    [{ op: 'replace', path: 'userName', value: 'shared-pair' }, 'invalidValue', 'userName is a reserved name.'],
    [{ op: 'replace', path: 'active', value: null }, 'invalidValue', 'active must be true or false.'],
    [
      { op: 'replace', path: 'displayName', value: 'a\nb' },
      'invalidValue',
      'displayName must be one line without control or other invisible characters.',
    ],
  ])('says why: %j', async (operation, scimType, detail) => {
    const before = (await scim.get(`/scim/v2/Users/${id}`)).json;
    const reply = await scim.patch(`/scim/v2/Users/${id}`, { schemas: [PATCH], Operations: [operation] });
    expect([reply.status, reply.json]).toEqual([
      400,
      { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '400', scimType, detail },
    ]);
    expect((await scim.get(`/scim/v2/Users/${id}`)).json).toEqual(before);
  });
  it.each<[unknown, string]>([
    [{ Operations: [{ op: 'add', value: {} }] }, `schemas must contain ${PATCH}.`],
    [{ schemas: PATCH, Operations: [{ op: 'add', value: {} }] }, `schemas must contain ${PATCH}.`],
    [{ schemas: [PATCH] }, 'Operations must be a list with at least one operation.'],
    [{ schemas: [PATCH], Operations: {} }, 'Operations must be a list with at least one operation.'],
    [{ schemas: [PATCH], Operations: ['replace'] }, 'An operation must be an object.'],
    [[], 'The body is not a JSON object.'],
    ['{"schemas":', 'The body is not a JSON object.'],
    [`{"schemas":[],"schemas":["${PATCH}"]}`, 'The body is not a JSON object.'],
  ])('is distinguished from a body that is no request: %j', async (body, detail) => {
    const reply = await scim.patch(`/scim/v2/Users/${id}`, body);
    expect([reply.status, reply.json.scimType, reply.json.detail]).toEqual([400, 'invalidSyntax', detail]);
  });
  it('of an unknown person is 404 before its operations are looked at', async () => {
    for (const unknown of [crypto.randomUUID(), 'x', `${id}x`]) {
      const reply = await scim.patch(`/scim/v2/Users/${unknown}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', path: 'displayName', value: 'x' }],
      });
      expect([reply.status, reply.json.detail]).toEqual([404, 'There is no such user.']);
    }
  });
});

describe('a question that cannot be answered', () => {
  it.each([
    ['filter=userName', 'invalidFilter', 'The filter ends too early.'],
    ['filter=userName%20eq%20"a"%20"b"', 'invalidFilter', 'The filter has ""b"" where it should end.'],
    ['filter=userName%20eq%20unquoted', 'invalidFilter', 'The filter has unquoted where a value should be.'],
    ['filter=(userName%20pr', 'invalidFilter', 'The filter lacks a ")".'],
    [`filter=${'('.repeat(60)}userName%20pr`, 'invalidFilter', 'The filter nests deeper than 50 levels.'],
    [`filter=userName%20eq%20"${'x'.repeat(4000)}"`, 'invalidFilter', 'The filter must have at most 4000 characters.'],
    ['startIndex=first', 'invalidValue', 'startIndex must be a whole number.'],
    ['count=1.5', 'invalidValue', 'count must be a whole number.'],
    ['count=99999999999', 'invalidValue', 'count must be a whole number.'],
  ])('says why: %s', async (query, scimType, detail) => {
    const reply = await scim.get(`/scim/v2/Users?${query}`);
    expect([reply.status, reply.json.scimType, reply.json.detail]).toEqual([400, scimType, detail]);
  });
  it('finds nobody by a text that no database stores', async () => {
    for (const text of ['\\u0000', '\\ud800']) {
      const reply = await scim.get(`/scim/v2/Users?filter=${encodeURIComponent(`userName eq "${text}"`)}`);
      expect([reply.status, reply.json.totalResults]).toEqual([200, 0]);
    }
  });
});

describe('a database that fails', () => {
  const withoutInserts = async (work: () => Promise<void>) => {
    await here.database.sql.unsafe(`
      create function refuse() returns trigger language plpgsql as 'begin raise exception ''disk full''; end';
      create trigger refuse before insert on administration_actions for each row execute function refuse()`);
    try {
      await work();
    } finally {
      await here.database.sql.unsafe('drop function refuse cascade');
    }
  };
  it('loses no change by halves: nobody is deactivated without an entry', async () => {
    const person = await here.holder('auditeur');
    const made = await scim.create('/scim/v2/Users', { schemas: [USER], userName: person.username });
    await withoutInserts(async () => {
      const reply = await scim.patch(`/scim/v2/Users/${made.id}`, {
        schemas: [PATCH],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      });
      expect([reply.status, reply.json.detail]).toEqual([500, 'The console failed. Its log has the cause.']);
      const removed = await scim.delete(`/scim/v2/Users/${made.id}`);
      expect([removed.status, removed.text.includes('disk full')]).toEqual([500, false]);
    });
    expect((await scim.get(`/scim/v2/Users/${made.id}`)).json.active).toBe(true);
    expect((await person.get('/api/session')).status).toBe(200);
    expect(here.faults.join('\n')).toContain('disk full');
  });
  it('that refuses connections is 503, so that the identity provider tries again', async () => {
    const { sql } = here.database;
    const name = new URL(here.database.ownerUrl).pathname.slice(1);
    await sql`revoke connect on database ${sql(name)} from public, console_service`;
    await sql`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity
      where datname = ${name} and usename = 'console_service'`;
    const replies = [await scim.get('/scim/v2/Users'), await scim.delete(`/scim/v2/Users/${id}`)];
    await sql`grant connect on database ${sql(name)} to console_service`;
    for (const { status, json } of replies) {
      expect([status, json.status, json.detail]).toEqual([503, '503', 'The database gave no answer. Try again.']);
    }
    await expect.poll(async () => (await scim.get(`/scim/v2/Users/${id}`)).status).toBe(200);
  });
});

import { Schemas } from 'scimmy';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile as onPremise } from '../../profile/on-premise.ts';
import type { Client } from '../../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { USER } from './schemas.ts';
import { isError, provisioned, provisioningClient, setActive, TOKEN } from './testing/provisioning.ts';

let hosted: TestConsole;
let closed: TestConsole;
let scim: Client;

beforeAll(async () => {
  const environment = { CONSOLE_SCIM_TOKEN: TOKEN };
  [hosted, closed] = await Promise.all([
    startTestConsole({ environment }),
    startTestConsole({ environment: { ...environment, CONSOLE_SCIM_SUBJECT: 'externalId' }, profile: onPremise }),
  ]);
  scim = provisioningClient(hosted);
});
afterAll(() => Promise.all([hosted.stop(), closed.stop()]));

describe('the token', () => {
  it('opens provisioning alone, and nothing else opens provisioning', async () => {
    expect((await scim.get('/scim/v2/Users')).status).toBe(200);
    for (const path of ['/', '/api/users', '/api/role-assignments', '/scim', '/scim/v3/Users']) {
      expect([path, (await scim.get(path)).status]).toEqual([path, 401]);
    }
    const admin = await hosted.holder('administrateur-d-instance');
    for (const client of [hosted.pair, admin]) isError(await client.get('/scim/v2/Users'), 401);
    const missing = await hosted.nobody.get('/scim/v2/Users');
    isError(missing, 401);
    expect(missing.headers.get('www-authenticate')).toContain('Bearer');
  });

  it('is guessed ten times; then its address is blocked, and the log contains the guesses', async () => {
    const headers = { 'x-forwarded-for': '10.9.9.9', authorization: `Bearer ${'f'.repeat(32)}` };
    for (let guess = 0; guess < 10; guess += 1) isError(await hosted.nobody.get('/scim/v2/Users', headers), 401);
    const wait = await scim.get('/scim/v2/Users', { 'x-forwarded-for': '10.9.9.9' });
    isError(wait, 429);
    expect(Number(wait.headers.get('retry-after'))).toBeGreaterThan(0);
    await expect
      .poll(
        () =>
          hosted.database
            .sql`select from authorization_decisions where source_address = '10.9.9.9' and outcome = 'refused'`,
      )
      .not.toHaveLength(0);
  });

  it('not given: there is no such address', async () => {
    const other = await startTestConsole();
    try {
      expect((await other.pair.get('/scim/v2/Users')).status).toBe(404);
    } finally {
      await other.stop();
    }
  });

  it.each([
    [{ CONSOLE_SCIM_TOKEN: 'short' }, 'CONSOLE_SCIM_TOKEN: must contain a random text'],
    [{ CONSOLE_SCIM_TOKEN: TOKEN, CONSOLE_SCIM_TOKEN_FILE: '/etc/hostname' }, 'Keep one'],
    [{ CONSOLE_SCIM_TOKEN_FILE: '/no/such' }, 'CONSOLE_SCIM_TOKEN_FILE: names a file that cannot be read'],
    [
      { CONSOLE_SCIM_TOKEN: TOKEN, CONSOLE_SCIM_SUBJECT: 'mail' },
      'CONSOLE_SCIM_SUBJECT: must be userName or externalId',
    ],
  ])('that cannot be used refuses the start: %j', async (environment, fault) => {
    await expect(startTestConsole({ environment })).rejects.toThrow(fault);
  });
});

describe('discovery', () => {
  it('lists what is served, in the form that an independent library reads', async () => {
    const config = await scim.get('/scim/v2/ServiceProviderConfig');
    expect(config.json).toMatchObject({
      patch: { supported: true },
      bulk: { supported: false },
      filter: { supported: true },
    });
    expect((await scim.get('/scim/v2/ResourceTypes')).json).toMatchObject({
      totalResults: 2,
      Resources: [
        { id: 'User', endpoint: '/Users' },
        { id: 'Group', endpoint: '/Groups' },
      ],
    });
    const schemas = (await scim.get('/scim/v2/Schemas')).json as {
      Resources: { id: string; attributes: { name: string }[] }[];
    };
    const names = schemas.Resources[0]?.attributes.map(({ name }) => name) ?? [];
    const theirs = Schemas.User.definition.describe() as unknown as { attributes: { name: string }[] };
    expect(theirs.attributes.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    expect((await scim.get(`/scim/v2/Schemas/${encodeURIComponent(USER)}`)).status).toBe(200);
    expect((await scim.get('/scim/v2/Groups')).json).toMatchObject({ totalResults: 0 });
    isError(await scim.send('POST', '/scim/v2/Schemas', {}), 405);
    const bulk = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: [] };
    for (const path of ['Bulk', '.search', 'Users/.search'])
      isError(await scim.send('POST', `/scim/v2/${path}`, bulk), 501);
    isError(await scim.get('/scim/v2/Me'), 501);
    isError(await scim.send('DELETE', '/scim/v2/Users'), 405);
  });
});

describe('on-premise', () => {
  it('takes the subject from the attribute that was named, registers the person and leaves local accounts alone', async () => {
    const client = provisioningClient(closed);
    const externalId = unique('00u');
    const { id } = await provisioned(client, 'alice@example.com', {
      externalId,
      displayName: 'Alice',
      emails: [{ value: 'alice@example.com' }],
    });
    const accounts = () => closed.database.sql`
      select username, origin, display_name as "displayName", email from accounts where username = ${externalId}`;
    expect(await accounts()).toEqual([
      { username: externalId, origin: 'directory', displayName: 'Alice', email: 'alice@example.com' },
    ]);
    await client.patch(`/scim/v2/Users/${id}`, setActive('False'));
    expect(await closed.database.sql`select subject, author from subject_revocations where lifted_at is null`).toEqual([
      { subject: externalId, author: 'scim' },
    ]);
    await closed.database
      .sql`insert into accounts (id, username, origin) values (${crypto.randomUUID()}, 'break-glass', 'local')`;
    const body = { schemas: [USER], userName: 'x', externalId: 'break-glass', active: false };
    isError(await client.post('/scim/v2/Users', body), 409, 'uniqueness');
    isError(await client.post('/scim/v2/Users', { schemas: [USER], userName: 'y' }), 400, 'invalidValue');
    expect(await closed.database.sql`select from subject_revocations where subject = 'break-glass'`).toEqual([]);
  });
});

import { createHash } from 'node:crypto';
import { connect, listSigningKeys, parseDatabaseAddress } from '@gateway/database';
import {
  type Administering,
  administering,
  createTestDatabase,
  type Declare,
  declaring,
  type TestDatabase,
} from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readServed } from '../endpoint/console.ts';
import { requestProviderTest } from '../provider/acts.ts';
import { addMember, grantRole } from '../role/acts.ts';
import { rolesOf } from '../role/console.ts';
import { listProjectMembers, listRoles } from '../role/owner.ts';
import { lockUser } from './console.ts';
import { createKey } from './key-acts.ts';
import { listAccounts, readPlanId } from './owner.ts';

let database: TestDatabase;
let administer: Administering;
let declare: Declare;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  declare = declaring(database.sql);
});
afterAll(() => database.drop());

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const addKey = (username: string, label: string, expiresAt: string | null) =>
  administer(async (act) => {
    const account = await lockUser(act.sql, { username });
    const digest = createHash('sha256').update(label).digest();
    return account && createKey(act, account, { digest, lastFour: label.slice(-4), label, expiresAt });
  });

describe('the list of accounts', () => {
  it('has the keys in force alone, the oldest first', async () => {
    await declare.account('ada');
    await addKey('ada', 'expired', '2020-01-01T00:00:00.000Z');
    await addKey('ada', 'coming', '2999-12-31T22:00:00.500Z');
    await addKey('ada', 'revoked', null);
    await database.sql`update account_keys set revoked_at = now() where label = 'revoked'`;
    const [ada] = await listAccounts(database.sql);
    expect(ada?.keys.map(({ label }) => label)).toEqual(['first', 'coming']);
  });

  it('has instants of UTC, whatever the time zone of the session', async () => {
    const elsewhere = connect(parseDatabaseAddress(database.ownerUrl), {
      max: 1,
      settings: { TimeZone: 'Asia/Tokyo' },
    });
    const [[there], [here]] = [await listAccounts(elsewhere), await listAccounts(database.sql)];
    await elsewhere.end();
    expect(there).toEqual(here);
    expect(here?.keys[1]?.expiresAt).toBe('2999-12-31T22:00:00.500Z');
    expect([here?.createdAt, here?.keys[0]?.createdAt]).toEqual([
      expect.stringMatching(ISO),
      expect.stringMatching(ISO),
    ]);
  });

  it('names the plan by its slug, and shows accounts without keys or plan too', async () => {
    const plan = await declare.plan('team', 10);
    await declare.account('bob', { plan, enabled: false });
    await database.sql`insert into accounts (id, username, origin) values (${uuid()}, 'carol', 'directory')`;
    const rows = await listAccounts(database.sql);
    expect(rows.map(({ username, plan: slug, enabled, keys }) => [username, slug, enabled, keys.length])).toEqual([
      ['ada', null, true, 2],
      ['bob', 'team', false, 1],
      ['carol', null, true, 0],
    ]);
    expect(await readPlanId(database.sql, 'team')).toBe(plan);
    expect(await readPlanId(database.sql, 'TEAM')).toBeUndefined();
  });
});

describe('the list of roles', () => {
  it('has those of all subjects in order, or of one, with who granted them', async () => {
    for (const [subject, role, project] of [
      ['zoe', 'administrateur-de-projet', 'gemini'],
      ['zoe', 'administrateur-de-projet', 'apollo'],
      ['ada', 'utilisateur-standard', null],
    ] as const) {
      await administer((act) => grantRole(act, { subject, role, project }), 'grace');
    }
    const all = await listRoles(database.sql, null);
    expect(all.map(({ subject, project, author }) => [subject, project, author])).toEqual([
      ['ada', null, 'grace'],
      ['zoe', 'apollo', 'grace'],
      ['zoe', 'gemini', 'grace'],
    ]);
    expect(all[0]?.grantedAt).toMatch(ISO);
    expect(await listRoles(database.sql, 'zoe')).toEqual(all.slice(1));
    expect(await listRoles(database.sql, 'nobody')).toEqual([]);
  });

  it('for one decision has those of the instance and of its project', async () => {
    await declare.grant('zoe', 'utilisateur-standard');
    expect(await rolesOf(database.sql, 'zoe', 'apollo')).toEqual(['administrateur-de-projet', 'utilisateur-standard']);
    expect(await rolesOf(database.sql, 'zoe', 'unknown')).toEqual(['utilisateur-standard']);
    expect(await rolesOf(database.sql, 'zoe', null)).toEqual(['utilisateur-standard']);
    expect(await rolesOf(database.sql, 'nobody', null)).toEqual([]);
  });
});

it('the list of members has those of one project, or of all, by name', async () => {
  for (const [project, subject] of [
    ['gemini', 'ada'],
    ['apollo', 'bob'],
    ['apollo', 'ada'],
  ] as const) {
    await administer((act) => addMember(act, project, subject), 'grace');
  }
  const all = await listProjectMembers(database.sql, null);
  expect(all.map(({ project, subject, addedBy }) => `${project} ${subject} ${addedBy}`)).toEqual([
    'apollo ada grace',
    'apollo bob grace',
    'gemini ada grace',
  ]);
  expect(await listProjectMembers(database.sql, 'gemini')).toEqual(all.slice(2));
  expect(await listProjectMembers(database.sql, 'GEMINI')).toEqual([]);
});

it('an endpoint is described by the slugs of its model and provider, or not at all', async () => {
  const provider = await declare.provider('engine');
  await declare.endpoint('chat', await declare.model(provider, 'small'));
  expect(await readServed(database.sql, 'chat')).toEqual({ model: 'small', provider: 'engine', standby: null });
  expect(await readServed(database.sql, 'Chat')).toBeNull();
});

describe('a test of a provider', () => {
  it('is asked for and recorded, as often as it is wanted', async () => {
    const provider = await declare.provider('tested');
    const [one, other] = [
      await administer((act) => requestProviderTest(act, provider), 'ada'),
      await administer((act) => requestProviderTest(act, provider), 'ada'),
    ];
    expect(one.result).toMatchObject({ finishedAt: null, status: null, fault: null, models: null });
    expect(one.entries).toMatchObject([
      { action: 'provider.test', target: `provider:${provider}`, after: { id: one.result.id } },
    ]);
    expect(other.result.id).not.toBe(one.result.id);
  });

  it('of an unknown provider is refused, and leaves nothing', async () => {
    await expect(administer((act) => requestProviderTest(act, uuid()))).rejects.toMatchObject({ code: '23503' });
    expect(await database.sql`select from provider_tests where requested_by = 'an administrator'`).toHaveLength(0);
  });
});

it('the keys that sealed a log are listed in the order in which they were registered', async () => {
  const before = await listSigningKeys(database.sql);
  expect(before).toMatchObject([{ component: 'console', publicKey: expect.stringContaining('PUBLIC KEY') }]);
  await database.sql`
    insert into signing_keys (id, public_key, component, registered_at) values
      ('older', 'p', 'gateway', '2020-01-01T00:00:00Z'), ('b', 'p', 'gateway', '2999-01-01T00:00:00Z'),
      ('a', 'p', 'gateway', '2999-01-01T00:00:00Z')`;
  const listed = await listSigningKeys(database.sql);
  expect(listed.map(({ fingerprint }) => fingerprint)).toEqual(['older', before[0]?.fingerprint, 'a', 'b']);
  expect(listed[0]?.registeredAt).toBe('2020-01-01T00:00:00.000Z');
});

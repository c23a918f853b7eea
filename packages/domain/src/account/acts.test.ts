import { createHash } from 'node:crypto';
import { type Act, inAct } from '@gateway/database/audit-log/act';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { addMember, setMemberEnabled } from '../role/acts.ts';
import { changeAccount, createAccount, deleteAccount } from './acts.ts';
import { lockUser } from './console.ts';
import { rotateKey } from './key-acts.ts';

const signer = createSigner(generateSigningKey());
const ACCOUNT = { username: 'alice', displayName: null, email: null, plan: null, enabled: true };
const key = (lastFour: string) => ({
  digest: createHash('sha256').update(lastFour).digest(),
  lastFour,
  label: 'first',
  expiresAt: null,
});

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const as = (component: 'console' | 'gatewayctl', work: (act: Act) => Promise<unknown>) =>
  database.sql.begin((sql) => inAct(sql, 'an author', { component, signer }, work));
const recorded = async (action: string) =>
  database.sql<{ before: Record<string, unknown>; after: Record<string, unknown> }[]>`
    select old_value::json as before, new_value::json as after from administration_actions
    where action = ${action} order by sequence`;
const locked = async ({ sql }: Act) => {
  const account = await lockUser(sql, { username: 'alice' });
  if (account === undefined) throw new Error('alice has an account');
  return account;
};

// log-10
it('records an account with its first key, and never the key', async () => {
  await as('gatewayctl', (act) => createAccount(act, ACCOUNT, key('aaaa')));
  await as('console', (act) => createAccount(act, { ...ACCOUNT, username: 'bob' }, key('bbbb')));
  const [alice, bob] = await recorded('account.create');
  expect(alice?.after).toMatchObject({
    username: 'alice',
    origin: 'local',
    keys: [{ lastFour: 'aaaa', label: 'first' }],
  });
  expect(Object.keys(alice?.after ?? {})).toEqual(Object.keys(bob?.after ?? {}));
  expect(JSON.stringify(alice)).not.toContain('digest');
});

// roles-3
it('records the keys that a new key replaces', async () => {
  await as('console', async (act) => {
    const account = await createAccount(act, ACCOUNT, key('aaaa'));
    await rotateKey(act, account, null, key('bbbb'));
  });
  expect(await recorded('key.rotate')).toMatchObject([{ before: [{ lastFour: 'aaaa' }], after: { lastFour: 'bbbb' } }]);
});

// console-19
it('records that the instance takes over an account disabled by a project, which no project can then enable', async () => {
  await as('console', async (act) => {
    await createAccount(act, ACCOUNT, null);
    const member = await addMember(act, 'apollo', 'alice');
    if (member === undefined) throw new Error('alice is a new member');
    await setMemberEnabled(act, member, false);
    await changeAccount(act, await locked(act), { enabled: false });
    expect(await setMemberEnabled(act, member, true)).toBeUndefined();
  });
  expect(await recorded('account.change')).toMatchObject([
    { before: { enabled: false, disabledByProject: true }, after: { enabled: false, disabledByProject: false } },
  ]);
  expect(await recorded('member.enable')).toEqual([]);
});

it('records the projects and roles that are deleted with an account', async () => {
  await as('console', async (act) => {
    await createAccount(act, ACCOUNT, null);
    await addMember(act, 'apollo', 'alice');
    await deleteAccount(act, await locked(act));
  });
  expect(await recorded('account.delete')).toMatchObject([{ before: { projects: ['apollo'] }, after: null }]);
  expect(await database.sql`select from project_members`).toHaveLength(0);
});

import { randomUUID } from 'node:crypto';
import { newAccountKey } from '@gateway/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const NOBODY = '01890000-0000-7000-8000-000000000000';

async function imported(users: readonly object[], more: object = {}) {
  const reply = await here.pair.post('/api/users/import', { users, ...more });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.results as { username: string; outcome: string; key?: string; error?: string }[];
}

describe('an import', () => {
  it('creates accounts with keys and roles, and refuses faulty rows alone', async () => {
    const plan = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'Plan', monthlyCap: null });
    const [first, second, watcher] = [unique('one'), unique('two'), unique('watcher')];
    await here.pair.create('/api/role-assignments', { subject: watcher, role: 'auditeur' });
    const results = await imported([
      { username: first, plan: plan.id, role: 'utilisateur-standard', email: 'one@example.org' },
      { username: 'two\nlines' },
      { username: 'scim' },
      { username: unique('x'), plan: NOBODY },
      { username: watcher, role: 'administrateur-d-instance' },
      { username: first },
      { username: unique('x'), displayName: newAccountKey().key },
      { username: second },
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['created', ...Array(6).fill('refused'), 'created']);
    for (const { error, key } of results.slice(1, 7)) expect([typeof error, key]).toEqual(['string', undefined]);
    const [user] = (await here.pair.get(`/api/users?username=${first}`)).json.users;
    expect(user).toMatchObject({ plan: plan.id, roles: [{ role: 'utilisateur-standard', project: null }] });
    expect((await here.pair.get(`/api/users?username=${watcher}`)).json.users).toEqual([]);
  });

  it('again leaves what exists, or reissues its key', async () => {
    const username = unique('again');
    const [{ key } = {}] = await imported([{ username }]);
    expect(await imported([{ username }])).toEqual([{ username, outcome: 'exists' }]);
    const [again] = await imported([{ username }], { reissue: true });
    expect(again).toMatchObject({ username, outcome: 'exists', key: expect.stringMatching(/^gwk_/) });
    expect(again?.key).not.toBe(key);
    const [user] = (await here.pair.get(`/api/users?username=${username}`)).json.users;
    const { keys } = (await here.pair.get(`/api/users/${user.id}/keys`)).json;
    expect(keys.map(({ revokedAt }: { revokedAt: string | null }) => revokedAt === null)).toEqual([true, false]);
  });

  it('can be undone: all keys of its requests are revoked, with an entry for each', async () => {
    const [first, second, other] = [unique('one'), unique('two'), unique('other')];
    const id = randomUUID();
    await imported([{ username: other }]);
    await imported([{ username: first }], { import: id });
    await imported([{ username: second }, { username: other }], { import: id, reissue: true });
    const [row] = (await here.pair.get('/api/imports?limit=1')).json.imports;
    expect(row).toMatchObject({ id, author: 'shared-pair', keys: 3, keysInForce: 3 });
    const holder = await here.holder('administrateur-d-instance');
    expect((await holder.post(`/api/imports/${id}/revoke-keys`, {})).status).toBe(403);
    const undo = async () => (await here.pair.post(`/api/imports/${id}/revoke-keys`, {})).json;
    expect([await undo(), await undo()]).toEqual([{ revoked: 3 }, { revoked: 0 }]);
    expect((await here.pair.get('/api/imports?limit=1')).json.imports[0].keysInForce).toBe(0);
    expect((await here.pair.post(`/api/imports/${NOBODY}/revoke-keys`, {})).status).toBe(404);
    const auditor = await here.holder('auditeur');
    const acts = async (query: string) =>
      (await auditor.get(`/api/administration-actions?${query}`)).json.administrationActions;
    expect(await acts(`target=import:${id}`)).toMatchObject([
      { action: 'import.revoke', oldValue: { keysInForce: 3 }, newValue: { keysInForce: 0 } },
    ]);
    expect(await acts(`action=key.revoke&target=account:${first}`)).toHaveLength(1);
  });

  it.each([
    { users: [] },
    {},
    { users: 'x' },
    { users: [{ username: 'x' }], reissue: 'yes' },
    { users: [{ username: 'x' }], import: 'x' },
  ])('is refused whole: %j', async (body) => {
    expect((await here.pair.post('/api/users/import', body)).status).toBe(400);
  });
});

describe('changes of many accounts', () => {
  it('are made and refused each by itself, with an entry for each', async () => {
    const plan = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'Plan', monthlyCap: null });
    const [one, two] = [unique('one'), unique('two')];
    const [first, second] = await Promise.all(
      [one, two].map((username) => here.pair.create('/api/users', { username })),
    );
    const reply = await here.pair.post('/api/users/changes', {
      changes: [
        { id: second.id, enabled: true },
        { id: NOBODY, enabled: false },
        { id: first.id, enabled: false, plan: plan.id },
      ],
    });
    expect(reply.json.results).toEqual([
      { id: second.id, outcome: 'unchanged' },
      { id: NOBODY, outcome: 'refused', error: 'There is no such user.' },
      { id: first.id, outcome: 'changed' },
    ]);
    const plans = [
      { id: first.id, plan: NOBODY },
      { id: second.id, plan: plan.id },
    ];
    expect((await here.pair.post('/api/users/changes', { changes: plans })).json.results).toEqual([
      { id: first.id, outcome: 'refused', error: 'plan must be the id of one that exists.' },
      { id: second.id, outcome: 'changed' },
    ]);
    const [user] = (await here.pair.get(`/api/users?username=${one}`)).json.users;
    expect(user).toMatchObject({ enabled: false, plan: plan.id });
    const auditor = await here.holder('auditeur');
    const { administrationActions } = (await auditor.get(`/api/administration-actions?target=account:${one}`)).json;
    expect(administrationActions[0]).toMatchObject({
      action: 'account.change',
      oldValue: { enabled: true, plan: null },
      newValue: { enabled: false, plan: plan.id },
    });
  });

  it.each([
    { changes: [] },
    {},
    { changes: [{ id: 'x' }] },
    { changes: [{ id: NOBODY, username: 'y' }] },
    { changes: [{ id: NOBODY }, { id: NOBODY }] },
    { changes: Array.from({ length: 501 }, () => ({ id: randomUUID() })) },
  ])('are refused whole where the request is malformed, case %#', async (body) => {
    expect((await here.pair.post('/api/users/changes', body)).status).toBe(400);
  });
});

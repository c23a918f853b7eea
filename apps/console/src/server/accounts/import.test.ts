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

  it.each([{ users: [] }, {}, { users: 'x' }, { users: [{ username: 'x' }], reissue: 'yes' }])(
    'is refused whole: %j',
    async (body) => {
      expect((await here.pair.post('/api/users/import', body)).status).toBe(400);
    },
  );
});

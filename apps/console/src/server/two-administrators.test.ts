import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client, Reply } from '../testing/client.ts';
import { startTestConsole, type TestConsole, unique } from '../testing/console.ts';

interface Entry {
  readonly action: string;
  readonly author: string;
  readonly oldValue: Record<string, unknown> | null;
  readonly newValue: Record<string, unknown> | null;
}

let here: TestConsole;
let one: Client & { username: string };
let other: Client & { username: string };
beforeAll(async () => {
  here = await startTestConsole();
  [one, other] = await Promise.all([
    here.holder('administrateur-d-instance'),
    here.holder('administrateur-d-instance'),
  ]);
});
afterAll(() => here.stop());

const statuses = (replies: readonly Reply[]) => replies.map(({ status }) => status).toSorted((a, b) => a - b);
/** What the administration log has on a target, the oldest first. */
const acts = async (target: string): Promise<Entry[]> =>
  (await here.pair.get(`/api/administration-actions?limit=500&target=${target}`)).json.administrationActions.reverse();

async function declared() {
  const provider = await one.create('/api/providers', {
    slug: unique('provider'),
    name: 'Lab',
    baseUrl: 'https://engine.example',
  });
  const model = await one.create('/api/models', {
    slug: unique('model'),
    name: 'M',
    provider: provider.id,
    inputPrice: 1,
    outputPrice: 1,
  });
  return { provider, model };
}

describe('two administrators who declare the same at once', () => {
  it('get one object, and one of them learns that the name is taken', async () => {
    const slug = unique('provider');
    const body = { slug, name: 'Lab', baseUrl: 'https://engine.example' };
    const replies = await Promise.all([one, other, one, other].map((client) => client.post('/api/providers', body)));
    expect(statuses(replies)).toEqual([201, 409, 409, 409]);
    for (const { json } of replies.filter(({ status }) => status === 409)) {
      expect(json).toEqual({
        error: 'There is another provider with this slug.',
        fields: { slug: 'is taken already' },
      });
    }
    expect(await acts(`provider:${slug}`)).toHaveLength(1);
  });
  it('get one account with one key', async () => {
    const username = unique('person');
    const replies = await Promise.all([1, 2, 3].map(() => here.pair.post('/api/users', { username })));
    expect(statuses(replies)).toEqual([201, 409, 409]);
    const [{ keys }] = (await here.database.sql`
      select count(*)::int as keys from account_keys join accounts on accounts.id = account_id
      where username = ${username}`) as unknown as [{ keys: number }];
    expect(keys).toBe(1);
    expect(replies.filter(({ json }) => 'key' in json)).toHaveLength(1);
  });
  it('add one member to a project once', async () => {
    const path = `/api/projects/${unique('project')}/members`;
    const replies = await Promise.all([one, other].map((client) => client.post(path, { subject: 'ada' })));
    expect(statuses(replies)).toEqual([201, 409]);
    expect(replies.find(({ status }) => status === 409)?.json.fields).toEqual({ subject: 'is a member already' });
  });
  it('revoke a subject once', async () => {
    const subject = unique('person');
    const body = { subject, reason: 'left' };
    const replies = await Promise.all([one, other].map((client) => client.post('/api/subject-revocations', body)));
    expect(statuses(replies)).toEqual([201, 409]);
    expect((await one.get(`/api/subject-revocations?subject=${subject}`)).json.subjectRevocations).toHaveLength(1);
  });
});

describe('two administrators who change the same at once', () => {
  it('both keep their change where they changed different members', async () => {
    const { provider } = await declared();
    const replies = await Promise.all([
      one.patch(`/api/providers/${provider.id}`, { name: 'Renamed' }),
      other.patch(`/api/providers/${provider.id}`, { baseUrl: 'https://other.example' }),
    ]);
    expect(statuses(replies)).toEqual([200, 200]);
    const { providers } = (await one.get('/api/providers?limit=500')).json as { providers: Record<string, unknown>[] };
    expect(providers.find(({ id }) => id === provider.id)).toMatchObject({
      name: 'Renamed',
      baseUrl: 'https://other.example',
    });
  });
  it('leave a log in which each change begins where the one before ended', async () => {
    const { provider } = await declared();
    const names = Array.from({ length: 8 }, (_, number) => `Name ${number}`);
    await Promise.all(
      names.map((name, number) => (number % 2 === 0 ? one : other).patch(`/api/providers/${provider.id}`, { name })),
    );
    const entries = await acts(`provider:${provider.slug}`);
    expect(new Set(entries.map(({ newValue }) => newValue?.['name']))).toEqual(new Set(['Lab', ...names]));
    expect(entries.slice(1).map(({ oldValue }) => oldValue?.['name'])).toEqual(
      entries.slice(0, -1).map(({ newValue }) => newValue?.['name']),
    );
    expect(new Set(entries.slice(1).map(({ author }) => author))).toEqual(new Set([one.username, other.username]));
  });
  it('learn which name is taken where both rename to it', async () => {
    const [first, second] = [await declared(), await declared()];
    const slug = unique('wanted');
    const replies = await Promise.all([
      one.patch(`/api/providers/${first.provider.id}`, { slug }),
      other.patch(`/api/providers/${second.provider.id}`, { slug }),
    ]);
    expect(statuses(replies)).toEqual([200, 409]);
  });
  it('swap nothing by halves: an account is disabled and enabled one after the other', async () => {
    const user = await here.pair.create('/api/users', { username: unique('person') });
    const wanted = [false, true, false, true, false];
    await Promise.all(wanted.map((enabled) => here.pair.patch(`/api/users/${user.id}`, { enabled })));
    const entries = await acts(`account:${user.username}`);
    const changes = entries.filter(({ action }) => action === 'account.change');
    expect(changes).not.toEqual([]);
    for (const { oldValue, newValue } of changes) expect(oldValue?.['enabled']).not.toBe(newValue?.['enabled']);
    const last = changes.at(-1)?.newValue?.['enabled'];
    const [row] = await here.database.sql<{ enabled: boolean }[]>`
      select enabled from accounts where username = ${user.username}`;
    expect(row?.enabled).toBe(last);
  });
});

describe('an administrator who deletes what another one uses', () => {
  it('is refused, or the other one is: never a model without a provider', async () => {
    for (let round = 0; round < 4; round += 1) {
      const provider = await one.create('/api/providers', {
        slug: unique('provider'),
        name: 'Lab',
        baseUrl: 'https://engine.example',
      });
      const model = { slug: unique('model'), name: 'M', provider: provider.id, inputPrice: 0, outputPrice: 0 };
      const [made, removed] = await Promise.all([
        other.post('/api/models', model),
        one.delete(`/api/providers/${provider.id}`),
      ]);
      expect([
        [201, 409, 'This provider cannot be deleted: a model refers to it.'],
        [400, 204, 'provider must be the id of one that exists'],
      ]).toContainEqual([made.status, removed.status, (made.status === 400 ? made : removed).json.error]);
    }
  });
  it('twice, gets 204 once and 404 once, and one entry', async () => {
    const { model } = await declared();
    const removals = await Promise.all([one, other].map((client) => client.delete(`/api/models/${model.id}`)));
    expect(statuses(removals)).toEqual([204, 404]);
    expect(removals.find(({ status }) => status === 404)?.json).toEqual({ error: 'There is no such model.' });
    expect((await acts(`model:${model.slug}`)).map(({ action }) => action)).toEqual(['model.create', 'model.delete']);
  });
  it('makes a change to it 404, not a new object', async () => {
    const { model } = await declared();
    await one.delete(`/api/models/${model.id}`);
    const late = await other.patch(`/api/models/${model.id}`, { name: 'Late' });
    expect([late.status, late.json]).toEqual([404, { error: 'There is no such model.' }]);
  });
  it('a plan, cannot while an account is on it, also where it is assigned in this moment', async () => {
    for (let round = 0; round < 4; round += 1) {
      const plan = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'P', monthlyCap: null });
      const user = await here.pair.create('/api/users', { username: unique('person') });
      const [assigned, removed] = await Promise.all([
        here.pair.patch(`/api/users/${user.id}`, { plan: plan.id }),
        here.pair.delete(`/api/plans/${plan.id}`),
      ]);
      expect([
        [200, 409, 'This plan cannot be deleted: an account refers to it.'],
        [400, 204, 'plan must be the id of one that exists'],
      ]).toContainEqual([assigned.status, removed.status, (assigned.status === 400 ? assigned : removed).json.error]);
    }
  });
});

describe('the keys of an account', () => {
  it('rotated twice at once leave one valid key, and its owner calls with that one', async () => {
    const user = await here.pair.create('/api/users', { username: unique('person'), role: 'auditeur' });
    const made = await Promise.all([1, 2, 3].map(() => here.pair.post(`/api/users/${user.id}/rotate-key`, {})));
    expect(statuses(made)).toEqual([200, 200, 200]);
    const tried = await Promise.all(
      [user.key, ...made.map(({ json }) => json.key as string)].map((key) =>
        here.withHeaders({ authorization: `Bearer ${key}` }).get('/api/session'),
      ),
    );
    expect(statuses(tried)).toEqual([200, 401, 401, 401]);
  });
});

describe('an administrator who loses the role', () => {
  it('while a colleague takes it away in the same moment, changes nothing afterwards', async () => {
    const leaving = await here.holder('administrateur-d-instance');
    const { roleAssignments } = (await one.get(`/api/role-assignments?subject=${leaving.username}`)).json;
    expect((await other.delete(`/api/role-assignments/${roleAssignments[0].id}`)).status).toBe(204);
    const slug = unique('provider');
    const refused = await leaving.post('/api/providers', { slug, name: 'x', baseUrl: 'https://engine.example' });
    expect([refused.status, refused.json.error]).toEqual([
      403,
      'Your identity is recognised, but you hold no role that carries fournisseurs:administrer here. The role administrateur-d-instance carries it.',
    ]);
    expect(await acts(`provider:${slug}`)).toEqual([]);
  });
  it('may take it from itself, and is out with the next request', async () => {
    const leaving = await here.holder('administrateur-d-instance');
    const { roleAssignments } = (await leaving.get(`/api/role-assignments?subject=${leaving.username}`)).json;
    expect((await leaving.delete(`/api/role-assignments/${roleAssignments[0].id}`)).status).toBe(204);
    expect((await leaving.get('/api/role-assignments')).status).toBe(403);
  });
});

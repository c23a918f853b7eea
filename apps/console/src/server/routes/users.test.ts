import { createHash } from 'node:crypto';
import { isAccountKey } from '@gateway/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { grant, startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const NOBODY = '01890000-0000-7000-8000-000000000000';
const newUser = (more: Record<string, unknown> = {}) =>
  here.pair.create('/api/users', { username: unique('user'), ...more });
const digest = (key: string) => createHash('sha256').update(key).digest();

describe('an account', () => {
  it('is created with its key, of which only the digest is stored', async () => {
    const username = unique('user');
    const made = await here.pair.create('/api/users', { username });
    expect(made).toMatchObject({ username, plan: null, enabled: true, roles: [], origin: 'local' });
    expect(isAccountKey(made.key)).toBe(true);
    const rows = await here.database.sql`
      select digest, last_four from account_keys k join accounts a on a.id = k.account_id where username = ${username}`;
    expect(rows.map((row) => [row['digest'], row['last_four']])).toEqual([[digest(made.key), made.key.slice(-4)]]);
  });
  // A transaction that locks that table and then records an entry, as gatewayctl apply does, would deadlock with this one.
  it('with a role waits for the table of roles before it takes the turn of the administration log', async () => {
    const { created } = await here.database.sql.begin(async (transaction) => {
      await transaction`lock table role_assignments in share row exclusive mode`;
      const made = here.pair.create('/api/users', { username: unique('user'), role: 'auditeur' });
      const waiting = async () =>
        (
          await here.database.sql`
            select from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())`
        ).length;
      await expect.poll(waiting).toBe(1);
      const [turn] = await transaction`select pg_try_advisory_xact_lock(727003) as free`;
      expect(turn).toEqual({ free: true });
      return { created: made };
    });
    expect((await created).roles).toEqual([{ role: 'auditeur', project: null }]);
  });
  it('is listed with what it spent, its last call, and when a key of it ends; plan, role and state choose it', async () => {
    const plan = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'P', monthlyCap: null });
    const ends = '2999-01-01T00:00:00.000Z';
    const made = await newUser({ plan: plan.id, role: 'auditeur', keyExpiresAt: ends });
    await here.database.sql`
      insert into key_uses (key_id, last_used_at)
      select id, '2026-01-05T08:00:00Z' from account_keys where account_id = ${made.id}`;
    const found = async (query: string) =>
      (await here.pair.get(`/api/users?username=${made.username}&${query}`)).json.users;
    const chosen = await found(`plan=${plan.id}&role=auditeur&state=enabled&sort=-spent`);
    expect(chosen).toMatchObject([{ spent: 0, lastCallAt: '2026-01-05T08:00:00.000Z', keyEndsAt: ends }]);
    // A call with an identity token uses no key.
    await here.database.sql`
      insert into request_logs (id, timestamp, subject, endpoint, model, model_id, input_tokens, output_tokens, latency_ms, usage_source, interrupted)
      values (gen_random_uuid(), '2026-01-06T08:00:00Z', ${made.username}, 'chat', 'small', gen_random_uuid(), 1, 1, 5, 'reported', false)`;
    expect(await found('sort=-lastCallAt')).toMatchObject([{ lastCallAt: '2026-01-06T08:00:00.000Z' }]);
    for (const query of ['plan=none', 'role=none', 'role=utilisateur-standard', 'state=disabled', 'state=revoked'])
      expect(await found(query)).toEqual([]);
    await here.pair.post('/api/subject-revocations', { subject: made.username, reason: 'left' });
    expect([(await found('state=revoked')).length, (await found('state=enabled')).length]).toEqual([1, 0]);
    expect((await here.pair.get('/api/users?role=cook')).status).toBe(400);
  });
  it('shows its key once', async () => {
    const made = await newUser();
    for (const path of ['/api/users?limit=500', `/api/users/${made.id}/keys`]) {
      expect((await here.pair.get(path)).text).not.toContain(made.key.slice(4));
    }
  });
  it('has no answer that a cache may keep', async () => {
    const reply = await here.pair.post('/api/users', { username: unique('user') });
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
  it.each([undefined, '', 7, 'a\nb', null, ' a', 'a'.repeat(256), 'shared-pair', '\ud800'])(
    'has no username %j',
    async (username) => {
      const reply = await here.pair.post('/api/users', { username });
      expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['username']]);
    },
  );
  it('has a username of its own', async () => {
    const { username } = await newUser();
    expect((await here.pair.post('/api/users', { username })).status).toBe(409);
  });
  it('is on a plan that exists', async () => {
    const plan = await here.pair.create('/api/plans', { slug: unique('plan'), name: 'p', monthlyCap: null });
    const made = await newUser({ plan: plan.id });
    expect(made.plan).toBe(plan.id);
    expect((await here.pair.post('/api/users', { username: unique('u'), plan: NOBODY })).json.fields).toHaveProperty(
      'plan',
    );
    expect((await here.pair.patch(`/api/users/${made.id}`, { plan: NOBODY })).json.fields).toHaveProperty('plan');
    expect((await here.pair.patch(`/api/users/${made.id}`, { plan: null })).json.plan).toBeNull();
    expect((await here.pair.patch(`/api/users/${made.id}`, { plan: plan.id })).json.plan).toBe(plan.id);
    expect((await here.pair.delete(`/api/plans/${plan.id}`)).status).toBe(409);
    expect((await here.pair.get(`/api/users?plan=${plan.id}`)).json.users).toMatchObject([{ id: made.id }]);
  });
  it('is disabled, described, found', async () => {
    const made = await newUser();
    const changes = { enabled: false, displayName: 'Ada Lovelace', email: 'ada@example.com' };
    expect((await here.pair.patch(`/api/users/${made.id}`, changes)).json).toMatchObject(changes);
    for (const search of ['LOVELACE', 'ada@', made.username]) {
      const { json } = await here.pair.get(`/api/users?enabled=false&search=${encodeURIComponent(search)}`);
      expect(json.users.map(({ id }: { id: string }) => id)).toContain(made.id);
    }
    expect((await here.pair.get('/api/users?enabled=false&search=nowhere')).json.users).toEqual([]);
    expect((await here.pair.patch(`/api/users/${made.id}`, { email: 'ada' })).status).toBe(400);
  });
  it('is found by the last four characters of any of its keys', async () => {
    const made = await newUser();
    const { key } = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second' });
    for (const ending of [made.key.slice(-4), key.slice(-4), key.slice(-4).toUpperCase()]) {
      const { json } = await here.pair.get(`/api/users?limit=500&search=${ending}`);
      expect(json.users.map(({ id }: { id: string }) => id)).toContain(made.id);
    }
    const { json } = await here.pair.get(`/api/users?search=${key.slice(-5)}`);
    expect(json.users).toEqual([]);
  });
  it('says whether its subject is revoked', async () => {
    const made = await newUser();
    const revoked = async () => (await here.pair.get(`/api/users?search=${made.username}`)).json.users[0].revoked;
    expect([made.revoked, await revoked()]).toEqual([false, false]);
    const { id } = await here.pair.create('/api/subject-revocations', { subject: made.username, reason: 'a leak' });
    expect(await revoked()).toBe(true);
    await here.pair.post(`/api/subject-revocations/${id}/lift`, { reason: 'a mistake' });
    expect(await revoked()).toBe(false);
  });
  it('is listed with its roles', async () => {
    const made = await newUser();
    await grant(here.database, made.username, 'utilisateur-standard');
    await grant(here.database, made.username, 'administrateur-de-projet', 'apollo');
    const { json } = await here.pair.get(`/api/users?search=${made.username}`);
    expect(json.users[0].roles).toEqual([
      { role: 'administrateur-de-projet', project: 'apollo' },
      { role: 'utilisateur-standard', project: null },
    ]);
  });
  it('is deleted with its keys and roles: the next one of that name inherits nothing', async () => {
    const made = await newUser();
    await grant(here.database, made.username, 'administrateur-d-instance');
    expect((await here.pair.delete(`/api/users/${made.id}`)).status).toBe(204);
    const next = await here.pair.create('/api/users', { username: made.username });
    expect(next.roles).toEqual([]);
    for (const key of [made.key, next.key]) {
      const reply = await here.withHeaders({ 'x-api-key': key }).get('/api/providers');
      expect(reply.status).toBe(key === made.key ? 401 : 403);
    }
  });
  it('is deleted out of every project: no administrator of one reaches the next one of that name', async () => {
    const made = await newUser();
    const administrator = await here.holder({ role: 'administrateur-de-projet', project: 'apollo' });
    for (const project of ['apollo', 'zeus']) {
      await here.pair.create(`/api/projects/${project}/members`, { subject: made.username });
    }
    await here.pair.delete(`/api/users/${made.id}`);
    await here.pair.create('/api/users', { username: made.username });
    const disabling = await administrator.patch(`/api/projects/apollo/members/${made.username}`, { enabled: false });
    expect(disabling.status).toBe(404);
    const acts = await here.database.sql`
      select old_value from administration_actions where action = 'account.delete' and target = ${`account:${made.username}`}`;
    expect(acts.map(({ old_value: before }) => JSON.parse(before).projects)).toEqual([['apollo', 'zeus']]);
  });
  it.each([
    ['PATCH', `/api/users/${NOBODY}`, { enabled: false }],
    ['DELETE', `/api/users/${NOBODY}`, undefined],
    ['GET', `/api/users/${NOBODY}/keys`, undefined],
    ['POST', `/api/users/${NOBODY}/keys`, { label: 'x' }],
    ['POST', `/api/users/${NOBODY}/rotate-key`, {}],
    ['POST', `/api/users/${NOBODY}/keys/${NOBODY}/revoke`, {}],
    ['GET', '/api/users/nothing/keys', undefined],
    ['PATCH', "/api/users/'%20or%20true", { enabled: false }],
  ])('that is unknown is 404: %s %s', async (method, path, body) => {
    expect((await here.pair.send(method, path, body)).json.error).toMatch(/^There is no such (user|key)\.$/);
  });
});

describe('the keys of an account', () => {
  const enters = async (key: string) =>
    (await here.withHeaders({ authorization: `Bearer ${key}` }).get('/api/providers')).status;
  it('are several, listed by label and last four characters', async () => {
    const made = await newUser();
    const second = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second' });
    expect(second).toMatchObject({ label: 'second', lastFour: second.key.slice(-4), revokedAt: null });
    const { json } = await here.pair.get(`/api/users/${made.id}/keys`);
    expect(json.keys.map((key: { label: string }) => key.label)).toEqual(['second', 'first']);
    expect(json.keys[0].createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect([await enters(made.key), await enters(second.key)]).toEqual([403, 403]);
  });
  it('are refused one by one once revoked, at the next request', async () => {
    const made = await newUser();
    const second = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second' });
    const path = `/api/users/${made.id}/keys/${second.id}/revoke`;
    const revoked = await here.pair.post(path, {});
    expect([revoked.status, typeof revoked.json.revokedAt]).toEqual([200, 'string']);
    expect([await enters(made.key), await enters(second.key)]).toEqual([403, 401]);
    expect((await here.pair.post(path, {})).json).toEqual(revoked.json);
    const other = await newUser();
    expect((await here.pair.post(`/api/users/${other.id}/keys/${second.id}/revoke`, {})).status).toBe(404);
  });
  it('are all replaced by a rotation, or one where it is named', async () => {
    const made = await newUser();
    const second = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second' });
    const third = await here.pair.post(`/api/users/${made.id}/rotate-key`, { key: second.id, label: 'third' });
    expect([third.status, third.json.label, isAccountKey(third.json.key)]).toEqual([200, 'third', true]);
    expect([await enters(made.key), await enters(second.key), await enters(third.json.key)]).toEqual([403, 401, 403]);
    const fourth = await here.pair.post(`/api/users/${made.id}/rotate-key`);
    expect([await enters(made.key), await enters(third.json.key), await enters(fourth.json.key)]).toEqual([
      401, 401, 403,
    ]);
    expect((await here.pair.post(`/api/users/${made.id}/rotate-key`, { key: NOBODY })).json.error).toContain('key');
  });
  it('expire at the instant they were issued for, and are distinguished from revoked ones', async () => {
    const hour = new Date(Date.now() + 3_600_000).toISOString();
    const made = await newUser({ keyExpiresAt: hour });
    const second = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second', expiresAt: hour });
    expect(second).toMatchObject({ expiresAt: hour, revokedAt: null });
    expect([await enters(made.key), await enters(second.key)]).toEqual([403, 403]);
    await here.database.sql`update account_keys set expires_at = now() where id = ${second.id}`;
    expect([await enters(made.key), await enters(second.key)]).toEqual([403, 401]);
    await expect
      .poll(
        () =>
          here.database.sql`select reason from authorization_decisions where key_id = ${second.id} and status = 401`,
      )
      .toEqual([{ reason: 'key-expired' }]);
    const third = await here.pair.post(`/api/users/${made.id}/rotate-key`, { expiresAt: hour });
    expect(third.json).toMatchObject({ expiresAt: hour });
    expect((await here.pair.post(`/api/users/${made.id}/rotate-key`)).json.expiresAt).toBeNull();
  });
  it.each(['2020-01-01T00:00:00Z', 'tomorrow', 7])(
    'are issued for no instant that is past or none: %j',
    async (expiresAt) => {
      const made = await newUser();
      const reply = await here.pair.post(`/api/users/${made.id}/keys`, { label: 'x', expiresAt });
      expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['expiresAt']]);
      const first = await here.pair.post('/api/users', { username: unique('u'), keyExpiresAt: expiresAt });
      expect([first.status, Object.keys(first.json.fields)]).toEqual([400, ['keyExpiresAt']]);
    },
  );
  it('say when each was last used', async () => {
    const made = await newUser();
    const second = await here.pair.create(`/api/users/${made.id}/keys`, { label: 'second' });
    await enters(second.key);
    const uses = async () =>
      (await here.pair.get(`/api/users/${made.id}/keys`)).json.keys.map(
        (key: { lastUsedAt: string | null }) => key.lastUsedAt,
      );
    await expect.poll(uses).toEqual([expect.stringMatching(/^\d{4}-.*Z$/), null]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { cookieOf, TYPED_PAIR, typed } from '../../testing/typed-sign-in.ts';

let here: TestConsole;
let secure: TestConsole;
beforeAll(async () => {
  [here, secure] = await Promise.all([
    startTestConsole(),
    startTestConsole({ environment: { CONSOLE_PUBLIC_URL: 'https://console.example' } }),
  ]);
});
afterAll(() => Promise.all([here.stop(), secure.stop()]));

const entered = async (fields: Record<string, string> = TYPED_PAIR, headers: Record<string, string> = {}) =>
  cookieOf(await typed(here, fields, headers));
const status = async (cookie: string, path = '/api/providers') => (await here.withHeaders({ cookie }).get(path)).status;
const sessions = () => here.database.sql`select from console_sessions`;

describe('the cookie of a session', () => {
  it('is bound to this host and to TLS where browsers reach the console over TLS', async () => {
    const answer = await typed(secure, TYPED_PAIR, { origin: 'https://console.example' });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-gateway-console-session=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    const cookie = cookieOf(answer);
    expect((await secure.withHeaders({ cookie }).get('/api/plans')).status).toBe(200);
    const planted = cookie.replace('__Host-', '');
    expect((await secure.withHeaders({ cookie: planted }).get('/api/plans')).status).toBe(401);
  });
  it('changes only what the own pages ask for: another site, or another port of this host, is refused', async () => {
    const session = here.withHeaders({ cookie: await entered() });
    const plan = () => ({ slug: unique('plan'), name: 'P', monthlyCap: null });
    const own = { origin: here.base, 'sec-fetch-site': 'same-origin' };
    expect((await session.post('/api/plans', plan(), own)).status).toBe(201);
    for (const headers of [
      { origin: 'http://127.0.0.1:1' },
      { origin: 'null' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site', origin: here.base },
    ]) {
      const reply = await session.post('/api/plans', plan(), headers);
      expect([reply.status, reply.json.error]).toEqual([403, expect.stringContaining('set CONSOLE_PUBLIC_URL')]);
    }
  });
  it('opens the console to a page of the public address behind a proxy that hides the host', async () => {
    const cookie = cookieOf(await typed(secure, TYPED_PAIR, { origin: 'https://console.example' }));
    const reply = await secure
      .withHeaders({ cookie })
      .post('/api/plans', { slug: unique('plan'), name: 'P', monthlyCap: null }, { origin: 'https://console.example' });
    expect(reply.status).toBe(201);
  });
  it.each([
    ['shortened', (value: string) => value.slice(0, -1)],
    [
      'changed in one character',
      (value: string) => value.slice(0, -2) + (value.at(-2) === 'A' ? 'B' : 'A') + value.at(-1),
    ],
    ['lengthened', (value: string) => `${value}A`],
    ['given twice', (value: string) => `${value}; ${value}`],
    ['emptied', (value: string) => value.replace(/=.*/, '=')],
  ])('opens nothing once it was %s', async (_, spoil) => {
    const cookie = await entered();
    expect([await status(cookie), await status(spoil(cookie))]).toEqual([200, 401]);
  });
  it('is ignored beside a proof: a wrong proof is refused although the session is good', async () => {
    const cookie = await entered();
    const reply = await here
      .withHeaders({ cookie, authorization: `Basic ${btoa('operator:wrong')}` })
      .get('/api/plans');
    expect(reply.status).toBe(401);
    const auditor = await here.holder('auditeur');
    const asAuditor = here.withHeaders({ cookie, authorization: `Bearer ${auditor.key}` });
    expect((await asAuditor.get('/api/session')).json.subject).toBe(auditor.username);
  });
});

describe('a session', () => {
  it('is replaced when its browser signs in again, also as somebody else', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const first = await entered();
    const before = (await sessions()).length;
    const second = await entered({ user: holder.username, password: holder.key }, { cookie: first });
    expect([await status(first), await status(second)]).toEqual([401, 200]);
    const third = await entered(TYPED_PAIR, { cookie: second });
    expect([await status(second), await status(third, '/api/plans')]).toEqual([401, 200]);
    expect(await sessions()).toHaveLength(before);
  });
  it('is one of several: signing out in one browser leaves the others', async () => {
    const [one, other] = [await entered(), await entered()];
    expect(one).not.toBe(other);
    const out = await here.withHeaders({ cookie: one }).get('/auth/logout');
    expect(out.headers.getSetCookie()).toEqual(['gateway-console-session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax']);
    expect([await status(one), await status(other)]).toEqual([401, 200]);
  });
  it('that ended is signed out of without a complaint', async () => {
    for (const cookie of ['', 'gateway-console-session=nonsense']) {
      const page = await here.withHeaders({ cookie }).get('/auth/logout', { accept: 'text/html' });
      expect([page.status, page.text.includes('You are signed out of this console.')]).toEqual([200, true]);
    }
    expect((await here.nobody.get('/auth/logout')).json).toEqual({
      message: expect.stringMatching(/^You are signed out of this console\./),
    });
  });
  it('ends after its eight hours, without a request in between', async () => {
    const cookie = await entered();
    const [{ hours }] = (await here.database.sql`
      select max(extract(epoch from expires_at - now()))::float8 / 3600 as hours from console_sessions`) as unknown as [
      { hours: number },
    ];
    expect([Math.round(hours), await status(cookie)]).toEqual([8, 200]);
    await here.database.sql`update console_sessions set expires_at = now()`;
    expect(await status(cookie)).toBe(401);
  });
  it('gains and loses rights with the roles of its person, from the next request on', async () => {
    const holder = await here.holder();
    const cookie = await entered({ user: holder.username, password: holder.key });
    expect(await status(cookie)).toBe(403);
    const role = { subject: holder.username, role: 'administrateur-d-instance' };
    const { id } = await here.pair.create('/api/role-assignments', role);
    expect(await status(cookie)).toBe(200);
    await here.pair.delete(`/api/role-assignments/${id}`);
    expect(await status(cookie)).toBe(403);
    const revocation = await here.pair.create('/api/subject-revocations', { subject: holder.username, reason: 'left' });
    expect(await status(cookie, '/api/session')).toBe(401);
    // A subject that is admitted again signs in again.
    await here.pair.post(`/api/subject-revocations/${revocation.id}/lift`, { reason: 'back' });
    expect(await status(cookie, '/api/session')).toBe(401);
    expect(await status(await entered({ user: holder.username, password: holder.key }), '/api/session')).toBe(200);
  });
  it('ends with the very key it was opened with, not with another key of the account', async () => {
    const holder = await here.holder('auditeur');
    const more = await here.pair.create(`/api/users/${holder.id}/keys`, { label: 'laptop' });
    const [byFirst, byMore] = [
      await entered({ user: holder.username, password: holder.key }),
      await entered({ user: holder.username, password: more.key }),
    ];
    await here.pair.post(`/api/users/${holder.id}/keys/${more.id}/revoke`);
    expect([await status(byFirst, '/api/session'), await status(byMore, '/api/session')]).toEqual([200, 401]);
    await here.pair.delete(`/api/users/${holder.id}`);
    expect(await status(byFirst, '/api/session')).toBe(401);
  });
  it('that ended does not open the prompt of the browser over a page of the console', async () => {
    const session = here.withHeaders({ cookie: await entered(), 'x-gateway-console': '1' });
    expect((await session.get('/api/plans')).status).toBe(200);
    await here.database.sql`delete from console_sessions`;
    const reply = await session.get('/api/plans');
    expect([reply.status, reply.headers.get('www-authenticate')]).toEqual([401, null]);
    expect(reply.json.error).toMatch(/^Sign in to this console with the shared pair/);
  });
});

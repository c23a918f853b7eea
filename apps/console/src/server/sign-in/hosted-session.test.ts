import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';
import { cookieOf, TYPED_PAIR, typed as typedAt } from '../../testing/typed-sign-in.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const typed = (fields: Record<string, string>, headers?: Record<string, string>) => typedAt(here, fields, headers);
const asBrowser = { accept: 'text/html' };

describe('the hosted sign-in', () => {
  it('answers a page that is opened without a proof with a page, and everything else as before', async () => {
    const page = await here.nobody.get('/', asBrowser);
    expect([page.status, page.headers.get('www-authenticate')]).toEqual([401, null]);
    expect(page.text).toContain('href="/auth/login"');
    for (const [path, headers] of [
      ['/', {}],
      ['/api/providers', asBrowser],
      ['/api/providers', {}],
      ['/', { ...asBrowser, authorization: `Basic ${btoa('a:b')}` }],
    ] as const) {
      const { status, headers: answered } = await here.nobody.get(path, headers);
      expect([status, answered.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic realm=/)]);
    }
    expect((await here.pair.get('/api/providers')).status).toBe(200);
  });
  it('opens a session for the pair, and ends it at sign-out', async () => {
    const entered = await typed({ ...TYPED_PAIR, to: '/#plans' });
    expect([entered.status, entered.headers.get('location')]).toEqual([303, '/#plans']);
    expect(entered.headers.getSetCookie()[0]).toMatch(/; HttpOnly; SameSite=Lax$/);
    const cookie = cookieOf(entered);
    const session = here.withHeaders({ cookie });
    expect((await session.get('/api/plans')).status).toBe(200);
    expect((await session.get('/api/session')).json.subject).toBeNull();
    expect(
      (await session.post('/api/plans', { slug: 's', name: 'S', monthlyCap: 1 }, { origin: here.base })).status,
    ).toBe(201);
    expect((await session.post('/api/plans', {}, { origin: 'https://other.example' })).status).toBe(403);
    const rows = await here.database.sql`select digest::text from console_sessions`;
    expect(JSON.stringify(rows)).not.toContain(cookie.split('=')[1]);
    expect((await session.get('/auth/logout', { 'sec-fetch-site': 'cross-site' })).text).toContain('Do you want to');
    expect((await session.get('/api/plans')).status).toBe(200);
    expect((await session.get('/auth/logout')).status).toBe(200);
    expect((await session.get('/api/plans')).status).toBe(401);
  });
  it('opens a session for a key, which ends with the key, the account, or a revocation', async () => {
    const holder = await here.holder('administrateur-d-instance');
    const enter = async () =>
      here.withHeaders({ cookie: cookieOf(await typed({ user: holder.username, password: holder.key })) });
    const session = await enter();
    expect((await session.get('/api/session')).json).toMatchObject({ subject: holder.username });
    expect([(await session.get('/api/providers')).status, (await session.get('/api/plans')).status]).toEqual([
      200, 403,
    ]);
    await here.pair.patch(`/api/users/${holder.id}`, { enabled: false });
    expect((await session.get('/api/providers')).status).toBe(401);
    await here.pair.patch(`/api/users/${holder.id}`, { enabled: true });
    await here.pair.post(`/api/users/${holder.id}/rotate-key`, {});
    expect((await session.get('/api/providers')).status).toBe(401);
  });
  it('reports what is wrong, redirects to no other site, throttles guesses and refuses pages of another site', async () => {
    const wrong = await typed({ user: 'operator', password: '<b>guess</b>', to: '//evil.example' });
    const text = await wrong.text();
    expect([wrong.status, wrong.headers.get('www-authenticate')]).toEqual([403, null]);
    expect(text).toContain('Username and password do not match.');
    expect(text).not.toContain('<b>guess');
    expect((await typed({ ...TYPED_PAIR, to: 'https://evil.example/' })).headers.get('location')).toBe('/');
    expect((await typed(TYPED_PAIR, { origin: 'https://other.example' })).status).toBe(403);
    expect((await typed({ user: '', password: '' })).status).toBe(403);
    const guesses = await Promise.all(
      Array.from({ length: 14 }, () => typed({ user: 'operator', password: 'x' }, { 'x-forwarded-for': '127.8.8.8' })),
    );
    expect(guesses.map(({ status }) => status)).toContain(429);
    const throttled = await typed(TYPED_PAIR, { 'x-forwarded-for': '127.8.8.8' });
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
  });
});

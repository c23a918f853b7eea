import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Step } from '../../testing/browser.ts';
import { grant, unique } from '../../testing/console.ts';
import { type OnPremise, startOnPremise } from '../../testing/on-premise.ts';
import { signedIn } from './testing/signed-in.ts';

let world: OnPremise;
beforeAll(async () => {
  world = await startOnPremise();
});
afterAll(() => world.stop());

const here = () => world.console;
/** The return from the identity provider that a browser was about to make. */
async function pendingReturn(user: string) {
  const browser = world.newBrowser();
  const steps = await browser.signIn(here().base, user, '/auth/callback');
  const last = steps.at(-1) as Step;
  const address = new URL(String(last.location), last.url);
  return { path: address.pathname + address.search, cookie: browser.cookies(here().base) };
}
const nameIn = (cookie: string): string => cookie.split('=', 1)[0] ?? '';
const authorization = async () => {
  const { headers } = await here().nobody.get('/auth/login');
  return new URL(String(headers.get('location'))).searchParams;
};

describe('the login', () => {
  // console-3
  it('redirects to the identity provider with code, PKCE, state and nonce, new at every login', async () => {
    const [one, two] = [await authorization(), await authorization()];
    expect(Object.fromEntries(one)).toMatchObject({
      response_type: 'code',
      client_id: 'console',
      scope: expect.stringContaining('openid'),
      code_challenge_method: 'S256',
      redirect_uri: `${here().base}/auth/callback`,
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one.get(name)).not.toBe(two.get(name));
    }
    expect(one.get('state')).not.toBe(one.get('nonce'));
  });
  it('sets a cookie that no script reads and no other site sends', async () => {
    const { headers } = await here().nobody.get('/auth/login');
    const [line = ''] = headers.getSetCookie();
    expect(line).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(line).toMatch(/Max-Age=600/);
    const secret = /=([\w-]{43});/.exec(line)?.[1] ?? '';
    expect(headers.get('location')).not.toContain(secret);
  });
});

describe('the return', () => {
  it('opens a session, and redirects to the surface of a role', async () => {
    for (const [role, surface] of [
      ['administrateur-d-instance', '/'],
      ['auditeur', '/audit'],
      ['administrateur-de-projet', '/project'],
    ] as const) {
      const { steps } = await signedIn(world, unique('person'), role);
      expect(steps.find(({ url }) => url.pathname === '/auth/callback')).toMatchObject({
        status: 303,
        location: surface,
      });
    }
  });
  // console-6
  it('sets a session cookie that no script reads, another one at every login', async () => {
    const user = unique('person');
    const lines = async () => {
      const { steps } = await signedIn(world, user);
      return steps.find(({ url }) => url.pathname === '/auth/callback')?.cookies ?? [];
    };
    const [one, two] = [await lines(), await lines()];
    expect(one[0]).toMatch(/^gateway-console-session=[\w-]{43}; Max-Age=28800; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(one[0]).not.toBe(two[0]);
  });
  it('stores only a digest', async () => {
    const { cookie } = await signedIn(world, unique('person'));
    const secret = /session=([\w-]{43})/.exec(cookie)?.[1] ?? '';
    const rows = await here().database.sql`select console_sessions::text as row from console_sessions`;
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) {
      expect(row).not.toContain(secret);
      expect(row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });
  it('never takes over the session a browser brought (fixation)', async () => {
    const { cookie } = await pendingReturn(unique('victim'));
    const planted = 'A'.repeat(43);
    const { path, cookie: own } = await pendingReturn(unique('victim'));
    expect(cookie).not.toBe(own);
    const reply = await here().nobody.get(path, { cookie: `${own}; gateway-console-session=${planted}` });
    expect(reply.status).toBe(303);
    expect(reply.headers.getSetCookie().join()).not.toContain(planted);
    const after = await here()
      .withHeaders({ cookie: `gateway-console-session=${planted}` })
      .get('/api/providers');
    expect(after.status).toBe(401);
  });
  it('ends the session the browser had before', async () => {
    const first = await signedIn(world, unique('person'), 'administrateur-d-instance');
    expect((await first.api.get('/api/providers')).status).toBe(200);
    await first.browser.signIn(here().base, unique('person'));
    expect((await first.api.get('/api/providers')).status).toBe(401);
  });
  it.each([
    '/auth/callback',
    '/auth/callback?code=x',
    '/auth/callback?code=x&state=foreign',
    '/auth/callback?error=access_denied',
  ])('is 400 without a login of this browser: %s', async (path) => {
    const reply = await here().nobody.get(path);
    expect([reply.status, reply.headers.getSetCookie()]).toEqual([400, []]);
  });
  it('is 400 in another browser, with a valid code', async () => {
    const { path } = await pendingReturn(unique('person'));
    const other = await pendingReturn(unique('person'));
    const name = nameIn((await pendingReturn(unique('person'))).cookie);
    for (const cookie of ['', other.cookie, `${name}=`, `${name}=${'A'.repeat(43)}`]) {
      const reply = await here().nobody.get(path, { cookie });
      expect([reply.status, reply.headers.getSetCookie()]).toEqual([400, []]);
    }
  });
  it('keeps a browser’s header short: long locations of many tabs do not lock it out', async () => {
    const browser = world.newBrowser();
    const to = encodeURIComponent(`/#${'a'.repeat(1900)}`);
    for (let tab = 0; tab < 8; tab += 1) {
      const [begun] = await browser.visit(`${here().base}/auth/login?to=${to}`, { stopAt: '/auth' });
      expect([begun?.status, browser.cookies(here().base).length < 8000]).toEqual([303, true]);
    }
  });
  it('is for several tabs: each sign-in has a cookie of its own, ten at most', async () => {
    const browser = world.newBrowser();
    const begin = async () => {
      const last = (await browser.signIn(here().base, unique('person'), '/auth/callback')).at(-1) as Step;
      const { pathname, search } = new URL(String(last.location), last.url);
      return pathname + search;
    };
    const [one, two] = [await begin(), await begin()];
    const cookie = browser.cookies(here().base);
    expect((await here().nobody.get(one, { cookie })).status).toBe(303);
    expect((await here().nobody.get(two, { cookie })).status).toBe(303);
    let kept = '';
    const cleared: string[] = [];
    for (let tab = 0; tab < 12; tab += 1) {
      const { headers } = await here().nobody.get('/auth/login', { cookie: kept });
      const [set = '', ...others] = headers.getSetCookie();
      kept = `${kept}${kept === '' ? '' : '; '}${set.split(';', 1)[0]}`;
      cleared.push(...others.map(nameIn));
      for (const name of cleared)
        kept = kept
          .split('; ')
          .filter((pair) => nameIn(pair) !== name)
          .join('; ');
    }
    expect([kept.split('; ').length, new Set(cleared).size]).toEqual([10, 2]);
  });
  it('counts once, in the same browser too, even when it is played twice at the same time', async () => {
    const { path, cookie } = await pendingReturn(unique('person'));
    const replies = await Promise.all([1, 2, 3].map(() => here().nobody.get(path, { cookie })));
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400]);
    expect((await here().nobody.get(path, { cookie })).status).toBe(400);
  });
  it('is 400 with a foreign code, nonce and verifier being those of another login', async () => {
    const [one, two] = [await pendingReturn(unique('person')), await pendingReturn(unique('person'))];
    const code = new URL(one.path, here().base).searchParams.get('code');
    const path = two.path.replace(/code=[^&]+/, `code=${code}`);
    expect((await here().nobody.get(path, { cookie: two.cookie })).status).toBe(400);
  });
  it('is 400 where two cookies of one name came: one of them was planted', async () => {
    const { path, cookie } = await pendingReturn(unique('person'));
    expect((await here().nobody.get(path, { cookie: `${nameIn(cookie)}=x; ${cookie}` })).status).toBe(400);
  });
  it('answers a browser with a page, a program with JSON, and both the person and standard error see the cause', async () => {
    const { path, cookie } = await pendingReturn(unique('person'));
    const broken = path.replace(/code=[^&]+/, 'code=nothing');
    const reply = await here().nobody.get(broken, { cookie, accept: 'text/html' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
    expect(reply.text).toMatch(/<p>Cause: it says invalid_grant.*\.<\/p>/);
    expect(here().faults.join('\n')).toMatch(/a sign-in was refused/);
  });
  it('admits nobody under the name of a local account, nor a disabled one', async () => {
    const [local, disabled] = [unique('local'), unique('disabled')];
    await here().database.sql`insert into accounts (id, username, origin, enabled) values
      (gen_random_uuid(), ${local}, 'local', true), (gen_random_uuid(), ${disabled}, 'directory', false)`;
    for (const user of [local, disabled]) {
      const { steps, api } = await signedIn(world, user, 'administrateur-d-instance');
      expect(steps.at(-1)?.status).toBe(403);
      expect((await api.get('/api/providers')).status).toBe(401);
    }
    const described = await here().database.sql`select display_name, email from accounts where username = ${local}`;
    expect([...described], 'a local account is not described by the identity provider').toEqual([
      { display_name: null, email: null },
    ]);
  });
  it('forgets those that are over', async () => {
    const over = Buffer.alloc(32, 7);
    await here().database
      .sql`insert into console_sign_ins (digest, expires_at) values (${over}, now() - interval '1 second')`;
    await signedIn(world, unique('person'));
    expect(await here().database.sql`select from console_sign_ins where digest = ${over}`).toHaveLength(0);
  });
  it('registers a new user, without any right', async () => {
    const user = unique('person');
    const { api } = await signedIn(world, user);
    expect((await api.get('/api/providers')).status).toBe(403);
    const rows = await here().database
      .sql`select origin, display_name, email, enabled from accounts where username = ${user}`;
    expect([...rows]).toEqual([
      { origin: 'directory', display_name: `Person ${user}`, email: `${user}@acme.example`, enabled: true },
    ]);
  });
});

describe('the location that a login returns to', () => {
  /** The location for a user with these roles who requested one. */
  async function destination(to: string, ...roles: Parameters<typeof grant>[2][]) {
    const user = unique('person');
    for (const role of roles)
      await grant(here().database, user, role, role === 'administrateur-de-projet' ? 'apollo' : null);
    const steps = await world.newBrowser().signIn(here().base, user, undefined, `?to=${encodeURIComponent(to)}`);
    const back = steps.find(({ url }) => url.pathname === '/auth/callback');
    return [back?.status, back?.location];
  }
  it.each([
    ['/#audit/agent-acts?subject=ada+l.&page=2&at=WyJ4Il0', 'administrateur-d-instance'],
    ['/audit#audit/decisions?from=2026-01-01T00%3A00%3A00Z', 'auditeur'],
    ['/project#usage?project=apollo', 'administrateur-de-projet'],
    ['/', 'administrateur-d-instance'],
  ] as const)('is the same: %s', async (to, role) => {
    expect(await destination(to, role)).toEqual([303, to]);
  });
  it('is a surface that a role opens, or the own page, where none opens the one that was asked for', async () => {
    expect(await destination('/#endpoints', 'auditeur')).toEqual([303, '/audit']);
    expect(await destination('/audit#audit')).toEqual([303, '/me']);
  });
  it.each([
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example',
    '/auth/logout',
    '/api/providers',
    '/#a\r\nset-cookie: x=y',
    `/#${'a'.repeat(3000)}`,
  ])('is nowhere else: %.40s', async (to) => {
    expect(await destination(to, 'administrateur-d-instance')).toEqual([303, '/']);
  });
  it('is the one of this very login: another one in the cookie, or beside the return, counts for nothing', async () => {
    const user = unique('person');
    await grant(here().database, user, 'administrateur-d-instance');
    const browser = world.newBrowser();
    const steps = await browser.signIn(here().base, user, '/auth/callback', '?to=%2F%23plans');
    const last = steps.at(-1) as Step;
    const { pathname, search } = new URL(String(last.location), last.url);
    const cookie = browser.cookies(here().base);
    const written = (to: string) => cookie.replace(/\.[\w-]+$/, `.${Buffer.from(to).toString('base64url')}`);
    for (const planted of [written('/#audit'), written('//evil.example'), cookie.replace(/\.[\w-]+$/, '')]) {
      expect(planted).not.toBe(cookie);
      expect((await here().nobody.get(pathname + search, { cookie: planted })).status).toBe(400);
    }
    const reply = await here().nobody.get(`${pathname}${search}&to=%2F%23audit`, { cookie });
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/#plans']);
  });
  it('is offered again by the page that explains a failed login', async () => {
    const browser = world.newBrowser();
    const steps = await browser.signIn(here().base, unique('person'), '/auth/callback', '?to=%2F%23plans');
    const last = steps.at(-1) as Step;
    const { pathname, search } = new URL(String(last.location), last.url);
    const headers = { cookie: browser.cookies(here().base), accept: 'text/html' };
    const reply = await here().nobody.get(pathname + search.replace(/code=[^&]+/, 'code=nothing'), headers);
    expect([reply.status, reply.text.includes('<a href="/auth/login?to=%2F%23plans">Sign in</a>')]).toEqual([
      400,
      true,
    ]);
  });
});

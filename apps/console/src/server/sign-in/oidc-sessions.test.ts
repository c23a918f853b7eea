import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unique } from '../../testing/console.ts';
import { type OnPremise, startOnPremise } from '../../testing/on-premise.ts';
import { signedIn } from './testing/signed-in.ts';

let world: OnPremise;
beforeAll(async () => {
  world = await startOnPremise();
});
afterAll(() => world.stop());

const here = () => world.console;

describe('a session', () => {
  it('has the rights of its subject, read for every request', async () => {
    const user = unique('person');
    const { api } = await signedIn(world, user, 'administrateur-d-instance');
    expect((await api.get('/api/providers')).status).toBe(200);
    expect((await api.get('/api/administration-actions')).json.error).toContain('journal:lire');
    await here().database.sql`delete from role_assignments where subject = ${user}`;
    expect((await api.get('/api/providers')).status).toBe(403);
  });
  it('ends with logout, not only in the browser', async () => {
    const { browser, api } = await signedIn(world, unique('person'), 'administrateur-d-instance');
    expect((await api.get('/api/providers')).status).toBe(200);
    const [out] = await browser.visit(`${here().base}/auth/logout`);
    expect([out?.status, out?.cookies]).toEqual([200, [expect.stringContaining('Max-Age=0')]]);
    // Only the identity provider can end its own session, if it offers that.
    const page = await browser.visit(`${here().base}/auth/logout`);
    expect(page[0]?.text).toMatch(
      new RegExp(`<a href="${world.directory.issuer}/session/end[^"]*">Sign out of the identity provider too</a>`),
    );
    expect((await api.get('/api/providers')).status).toBe(401);
  });
  it('is not ended by a link on another site, which leads to a question', async () => {
    const { api } = await signedIn(world, unique('person'), 'administrateur-d-instance');
    for (const site of ['cross-site', 'same-site']) {
      const asked = await api.get('/auth/logout', { 'sec-fetch-site': site, accept: 'text/html' });
      expect([asked.status, asked.headers.getSetCookie()]).toEqual([200, []]);
      expect(asked.text).toContain('<a href="/auth/logout">Sign out</a>');
    }
    expect((await api.get('/api/providers')).status).toBe(200);
  });
  it('ends when its subject is revoked or its account disabled', async () => {
    const administrator = await signedIn(world, unique('person'), 'administrateur-d-instance');
    const [revoked, disabled] = [unique('revoked'), unique('disabled')];
    const [one, two] = [
      await signedIn(world, revoked, 'administrateur-d-instance'),
      await signedIn(world, disabled, 'administrateur-d-instance'),
    ];
    await administrator.api.create('/api/subject-revocations', { subject: revoked, reason: 'left' });
    await here().database.sql`update accounts set enabled = false where username = ${disabled}`;
    expect([(await one.api.get('/api/providers')).status, (await two.api.get('/api/providers')).status]).toEqual([
      401, 401,
    ]);
    const again = await signedIn(world, revoked);
    expect((await again.api.get('/api/providers')).json.error).toContain('has been revoked');
  });
  it('ends when a local account takes the name of its subject', async () => {
    const user = unique('person');
    const { api } = await signedIn(world, user, 'administrateur-d-instance');
    expect((await api.get('/api/providers')).status).toBe(200);
    await here().database.sql`update accounts set origin = 'local' where username = ${user}`;
    expect((await api.get('/api/providers')).status).toBe(401);
  });
  it('is over after its time', async () => {
    const { api } = await signedIn(world, unique('person'), 'administrateur-d-instance');
    await here().database.sql`update console_sessions set expires_at = now() - interval '1 second'`;
    expect((await api.get('/api/providers')).status).toBe(401);
  });
  it.each([
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'null' },
  ])('changes nothing for another site: %j', async (headers) => {
    const { api } = await signedIn(world, unique('person'), 'administrateur-d-instance');
    const body = { slug: unique('provider'), name: 'x', baseUrl: 'https://engine.example' };
    expect((await api.post('/api/providers', body, headers as Record<string, string>)).status).toBe(403);
    expect((await api.get('/api/providers?limit=500')).text).not.toContain(body.slug);
    expect(
      (await api.post('/api/providers', body, { origin: here().base, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(201);
  });
  it('records its subject with its changes', async () => {
    const user = unique('person');
    const { api } = await signedIn(world, user, 'administrateur-d-instance');
    await api.create('/api/providers', { slug: unique('provider'), name: 'x', baseUrl: 'https://engine.example' });
    const auditor = await signedIn(world, unique('auditor'), 'auditeur');
    const { json } = await auditor.api.get(`/api/administration-actions?author=${user}`);
    expect(json.administrationActions).toMatchObject([{ action: 'provider.create', author: user }]);
    const decisions = await auditor.api.get(`/api/audit/decisions?subject=${user}&permission=fournisseurs:administrer`);
    expect(decisions.json.decisions).toMatchObject([{ credential: 'token', outcome: 'granted', component: 'console' }]);
  });
});

describe('only a session', () => {
  it.each([
    {},
    { authorization: `Basic ${btoa('operator:a pass:word')}` },
    { authorization: `Bearer gwk_${'0123456789abcdef'.repeat(3)}` },
    { cookie: 'gateway-console-session=x' },
    { cookie: `gateway-console-session=${'A'.repeat(43)}` },
  ])('admits a caller: %j', async (headers) => {
    const reply = await here().withHeaders(headers).get('/api/providers');
    expect([reply.status, reply.json.error]).toEqual([401, expect.stringMatching(/directory/)]);
    expect(reply.text).not.toMatch(/OIDC_|not configured/);
  });
  it('and a browser that opens a page gets one that redirects to the login, because only it knows the fragment', async () => {
    const reply = await here().nobody.get('/', { accept: 'text/html,*/*' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([401, 'text/html; charset=utf-8']);
    expect(reply.text).toContain('<script type="module" src="/client.js"></script>');
    expect(reply.text).toContain('<a href="/auth/login">Sign in</a>');
    const lost = await here().nobody.get('/nothing', { accept: 'text/html' });
    expect(lost.text).not.toContain('<script');
    expect((await here().nobody.get('/api/providers', { accept: 'text/html' })).status).toBe(401);
  });
  it('and a browser of a user without the right gets a page with a sign-out link', async () => {
    const { api } = await signedIn(world, unique('person'), 'auditeur');
    const reply = await api.get('/', { accept: 'text/html' });
    expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8']);
    expect(reply.text).toContain(
      '<a href="/audit">Audit</a>\n<a href="/me">My page</a>\n<a href="/auth/logout">Sign out</a>',
    );
    const lost = await here().nobody.get('/nothing', { accept: 'text/html' });
    expect([lost.status, lost.text.includes('<a href="/auth/login">Sign in</a>')]).toEqual([401, true]);
  });
  it('and what only the hosted profile has is not there', async () => {
    const { api } = await signedIn(world, unique('person'), 'administrateur-d-instance');
    for (const path of ['/api/users', '/api/plans', '/api/usage', '/api/spending-caps']) {
      expect((await api.get(path)).status).toBe(404);
      expect((await here().nobody.get(path)).status).toBe(401);
    }
  });
});

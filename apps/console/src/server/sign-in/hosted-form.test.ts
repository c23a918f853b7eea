import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';
import { TYPED_PAIR, typed } from '../../testing/typed-sign-in.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const WRONG = 'Username and password do not match.';
const alertIn = (text: string) => /<p role="alert" class="fault" id="fault">([^<]*)<\/p>/.exec(text)?.[1] ?? null;
const inputIn = (text: string, name: string) => new RegExp(`<input id="${name}"[^>]*>`).exec(text)?.[0] ?? '';
const placeIn = (text: string) => /name="to" value="([^"]*)"/.exec(text)?.[1];

describe('the sign-in page', () => {
  it('asks for a name and a password, is stored nowhere and needs no proof', async () => {
    const page = await here.nobody.get('/auth/login?to=%2Faudit%23decisions');
    expect([page.status, page.headers.get('content-type'), page.headers.get('cache-control')]).toEqual([
      200,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    expect(page.text).toContain('autocomplete="username"');
    expect(page.text).toContain('type="password" autocomplete="current-password" required');
    expect([alertIn(page.text), placeIn(page.text)]).toEqual([null, '/audit#decisions']);
    expect(page.headers.get('content-security-policy')).toMatch(/(^|; )form-action 'self'(;|$)/);
  });
  it('shows markup in its address as text', async () => {
    const { text } = await here.nobody.get(`/auth/login?to=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(text).not.toContain('<script>alert');
    expect(placeIn(text)).toBe('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });
  it('keeps where the person wanted to go over a wrong password', async () => {
    const text = await (await typed(here, { ...TYPED_PAIR, password: 'wrong', to: '/audit#sessions' })).text();
    expect(alertIn(text)).toContain(WRONG);
    expect(placeIn(text)).toBe('/audit#sessions');
  });
});

describe('a refused sign-in', () => {
  const refused = async (user: string, password = 'wrong') =>
    (await typed(here, { user, password, to: '/audit' })).text();
  it('keeps the name, and leaves the password to be typed', async () => {
    const text = await refused('ada');
    expect(inputIn(text, 'user')).toContain('value="ada"');
    expect(inputIn(text, 'user')).not.toContain('autofocus');
    expect(inputIn(text, 'password')).toContain('autofocus');
    expect(inputIn(text, 'password')).not.toContain('value=');
    for (const name of ['user', 'password']) expect(inputIn(text, name)).toContain('aria-describedby="fault"');
  });
  it('keeps both also where nothing usable was sent', async () => {
    const text = await refused('ada', '');
    expect(inputIn(text, 'user')).toContain('value="ada"');
    expect(placeIn(text)).toBe('/audit');
  });
  it('shows a name as text, and no key that was typed in its place', async () => {
    expect(inputIn(await refused('"><script>'), 'user')).toContain('value="&quot;&gt;&lt;script&gt;"');
    const key = `gwk_${'0'.repeat(48)}`;
    const text = await refused(key);
    expect(text).not.toContain(key);
    expect(inputIn(text, 'user')).toContain('autofocus');
  });
});

describe('after signing in', () => {
  const leadsTo = async (user: string, password: string, to: string) => {
    const answer = await typed(here, { user, password, to });
    expect(answer.status).toBe(303);
    return answer.headers.get('location');
  };
  it('the shared pair gets the page it asked for', async () => {
    for (const place of ['/', '/#users?search=a%20b', '/audit#decisions', '/project']) {
      expect(await leadsTo(TYPED_PAIR.user, TYPED_PAIR.password, place)).toBe(place);
    }
  });
  it('a person gets the page that was asked for if a role opens it, else the first that one opens', async () => {
    const auditor = await here.holder('auditeur');
    expect(await leadsTo(auditor.username, auditor.key, '/audit#acts')).toBe('/audit#acts');
    expect(await leadsTo(auditor.username, auditor.key, '/#users')).toBe('/audit');
    const project = await here.holder({ role: 'administrateur-de-projet', project: unique('project') });
    expect(await leadsTo(project.username, project.key, '/')).toBe('/project');
    const both = await here.holder('administrateur-d-instance', {
      role: 'administrateur-de-projet',
      project: unique('project'),
    });
    expect(await leadsTo(both.username, both.key, '/audit')).toBe('/');
    expect(await leadsTo(both.username, both.key, '/project#members')).toBe('/project#members');
  });
  it('a person whose roles open no surface lands on the own page', async () => {
    const caller = await here.holder('utilisateur-standard');
    const answer = await typed(here, { user: caller.username, password: caller.key, to: '/audit' });
    expect(answer.headers.get('location')).toBe('/me');
    const cookie = (answer.headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const { json } = await here.withHeaders({ cookie }).get('/api/me');
    expect(json.subject).toBe(caller.username);
  });
});

describe('what is typed', () => {
  it.each([
    ['no field', {}],
    ['no password', { user: 'operator', password: '' }],
    ['no name', { user: '', password: 'a pass:word' }],
    [
      'a name with a colon, which would move a part of it into the password',
      { user: 'operator:a pass', password: 'word' },
    ],
    ['the pair of another case', { user: 'Operator', password: 'a pass:word' }],
    ['a blank more', { user: 'operator', password: 'a pass:word ' }],
    ['a name that is no text of the database', { user: 'opera\0tor', password: `gwk_${'0'.repeat(48)}` }],
  ])('is answered with the form again, without a cookie: %s', async (_, fields) => {
    const answer = await typed(here, fields);
    const text = await answer.text();
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(alertIn(text)).toContain(WRONG);
    expect(text).not.toContain('a pass');
  });
  it('is refused if the key belongs to another account, or to no account', async () => {
    const [one, other] = [await here.holder('auditeur'), await here.holder('auditeur')];
    for (const [user, password] of [
      [one.username, other.key],
      [one.username.toUpperCase(), one.key],
      [one.username, `${one.key.slice(0, -1)}${one.key.endsWith('0') ? '1' : '0'}`],
    ] as const) {
      expect((await typed(here, { user, password })).status).toBe(403);
    }
    expect((await typed(here, { user: one.username, password: one.key })).status).toBe(303);
  });
  it('is accepted for an account whose name contains colons', async () => {
    const username = `urn:person:${unique('name')}`;
    const { key } = (await here.pair.create('/api/users', { username })) as { key: string };
    expect((await typed(here, { user: username, password: key })).status).toBe(303);
  });
  it('a revoked subject learns that it is revoked, and gets no session', async () => {
    const holder = await here.holder('administrateur-d-instance');
    await here.pair.create('/api/subject-revocations', { subject: holder.username, reason: 'left' });
    const answer = await typed(here, { user: holder.username, password: holder.key });
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
    expect(alertIn(await answer.text())).toContain('Your access to this instance has been revoked.');
  });
  it('is recorded without the password where it was wrong', async () => {
    const user = unique('guesser');
    await typed(here, { user, password: 'what was guessed' }, { 'x-forwarded-for': '127.7.7.7' });
    const entries = () => here.database.sql`
      select outcome, reason, credential, subject from authorization_decisions where source_address = '127.7.7.7'`;
    await expect
      .poll(entries)
      .toEqual([{ outcome: 'refused', reason: 'key-unknown', credential: 'none', subject: null }]);
  });
});

/** Sends bytes as the form's body, with exactly these headers. */
function sent(headers: Record<string, string>, pieces: readonly string[]): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(`${here.base}/auth/login`, { method: 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => {
        text += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    for (const piece of pieces) asked.write(piece);
    asked.end();
  });
}

describe('a form that no browser sends', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
  const GOOD = new URLSearchParams(TYPED_PAIR).toString();
  it('of more than 16 KB, or of an unknown length, is not read', async () => {
    const long = `${GOOD}&to=${'x'.repeat(17_000)}`;
    const tooLong = await sent({ ...FORM, 'content-length': String(long.length) }, [long]);
    expect([tooLong.status, alertIn(tooLong.text)]).toEqual([403, expect.stringContaining(WRONG)]);
    const inPieces = await sent({ ...FORM, 'transfer-encoding': 'chunked' }, [GOOD]);
    expect(inPieces.status).toBe(403);
    expect((await sent({ ...FORM, 'content-length': String(GOOD.length) }, [GOOD])).status).toBe(303);
  });
  it('is JSON, which holds no field', async () => {
    const json = JSON.stringify(TYPED_PAIR);
    const headers = { 'content-type': 'application/json', 'content-length': String(json.length) };
    expect((await sent(headers, [json])).status).toBe(403);
  });
  it('is sent by another method, which is no address', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const asked = await here.pair.send(method, '/auth/login', {});
      expect([asked.status, asked.json.error]).toEqual([404, 'This console has no such address.']);
    }
  });
  it('is refused where a page of another site sent it, before the password is looked at', async () => {
    for (const headers of [{ origin: 'null' }, { 'sec-fetch-site': 'same-site' }, { 'sec-fetch-site': 'cross-site' }]) {
      const answer = await typed(here, TYPED_PAIR, headers);
      expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []]);
      expect(await answer.json()).toHaveProperty('error', expect.stringMatching(/^A page of another site sent/));
    }
  });
});

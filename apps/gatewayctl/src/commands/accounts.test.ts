import { createHash } from 'node:crypto';
import { declaring } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());
const accounts = async () =>
  (await at.json('account', 'list')) as { username: string; enabled: boolean; plan: string | null; keys: unknown[] }[];
const keysInForce = (username: string) => at.database.sql<{ digest: Buffer; label: string }[]>`
  select digest, label from account_keys where revoked_at is null
    and account_id = (select id from accounts where username = ${username})`;

describe('account', () => {
  it.each([
    ['a name of blanks', ['   ']],
    ['a name with a blank at its end', ['kim ']],
    ['a name that turns its direction', ['kim\u202egro']],
    ['the name under which the shared pair is recorded', ['shared-pair']],
    ['a display name of two lines', ['kim', '--display-name', 'Kim\nroot']],
    ['a display name past 200 characters', ['kim', '--display-name', 'x'.repeat(201)]],
    ['an e-mail address that is none', ['kim', '--email', 'kim']],
    ['an e-mail address of two lines', ['kim', '--email', 'kim@x\nroot@y']],
  ])('create refuses %s', async (_, words) => {
    const ran = await at.ctl('account', 'create', ...words);
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringMatching(/^gatewayctl: [^\n]+\n$/) as string });
  });

  it('create shows the key once and keeps its digest alone', async () => {
    expect((await at.ctl('account', 'list')).out).toBe('There is no account.\n');
    const made = (await at.json('account', 'create', 'alice')) as { username: string; key: string };
    expect(Object.keys(made)).toEqual(['username', 'key']);
    expect(made.key).toMatch(/^gwk_[0-9a-f]{48}$/);
    const [kept] = await keysInForce('alice');
    expect(kept?.digest).toEqual(createHash('sha256').update(made.key).digest());
    expect((await at.ctl('account', 'list')).out).toContain(`…${made.key.slice(-4)}`);
    expect((await at.ctl('account', 'list', '--json')).out).not.toContain(made.key);
    const everything = JSON.stringify(await at.database.sql`select old_value, new_value from administration_actions`);
    expect(everything).not.toContain(made.key);
  });

  it('create takes a plan, a name and an address, and refuses a name in use and an unknown plan', async () => {
    await declaring(at.database.sql).plan('gold', 10);
    const words = ['--plan', 'gold', '--display-name', 'Bob B.', '--email', 'bob@example.org', '--label', 'laptop'];
    expect((await at.ctl('account', 'create', 'bob', ...words)).out).toMatch(/Created the account bob.*\ngwk_/);
    expect((await accounts()).find(({ username }) => username === 'bob')).toMatchObject({
      plan: 'gold',
      displayName: 'Bob B.',
    });
    const taken = await at.ctl('account', 'create', 'bob');
    expect(taken).toMatchObject({ code: 1, err: 'gatewayctl: There is an account bob already.\n' });
    const planless = await at.ctl('account', 'create', 'carol', '--plan', 'iron');
    expect(planless).toMatchObject({ code: 1, err: 'gatewayctl: There is no plan iron.\n' });
    expect((await accounts()).map(({ username }) => username)).toEqual(['alice', 'bob']);
  });

  // roles-3
  it('create and rotate-key issue a key that ends', async () => {
    const ends = async () =>
      (
        await at.database.sql<{ at: Date | null }[]>`
          select expires_at as at from account_keys k join accounts a on a.id = k.account_id
          where username = 'temporary' order by k.created_at`
      ).map((row) => row.at?.toISOString() ?? null);
    await at.json('account', 'create', 'temporary', '--expires', '2099-12-31');
    expect((await at.ctl('account', 'list')).out).toMatch(/temporary .*…\w{4} \(to 2099-12-31\)/);
    await at.json('account', 'rotate-key', 'temporary', '--expires', '2098-01-31T08:00:00+01:00');
    await at.json('account', 'rotate-key', 'temporary');
    expect(await ends()).toEqual(['2099-12-31T00:00:00.000Z', '2098-01-31T07:00:00.000Z', null]);
    await at.database.sql`delete from accounts where username = 'temporary'`;
    for (const [wrong, sentence] of [
      ['2020-01-01', 'The expiry 2020-01-01 is in the past.'],
      ['soon', '"soon" is not an instant such as 2027-01-31 or 2027-01-31T08:00:00Z.'],
      ['2098-13-01', '"2098-13-01" is not an instant such as 2027-01-31 or 2027-01-31T08:00:00Z.'],
    ] as const)
      expect(await at.ctl('account', 'create', 'never', '--expires', wrong)).toMatchObject({
        code: 2,
        err: `gatewayctl: ${sentence}\n`,
      });
  });

  it('disable and enable change the state, once', async () => {
    expect((await at.ctl('account', 'disable', 'alice')).out).toBe('alice is disabled.\n');
    expect((await at.ctl('account', 'disable', 'alice')).out).toBe('alice was disabled already; nothing changed.\n');
    expect((await accounts())[0]?.enabled).toBe(false);
    expect((await at.ctl('account', 'enable', 'alice')).out).toBe('alice is enabled.\n');
    expect(await at.ctl('account', 'enable', 'nobody')).toMatchObject({
      code: 1,
      err: 'gatewayctl: There is no account nobody.\n',
    });
  });

  it('disable takes over what a project disabled, so that no project enables it', async () => {
    await at.database.sql`update accounts set enabled = false, disabled_by_project = true where username = 'alice'`;
    expect((await at.ctl('account', 'disable', 'alice')).out).toBe('alice is disabled.\n');
    const [row] = await at.database.sql`select enabled, disabled_by_project from accounts where username = 'alice'`;
    expect({ ...row }).toEqual({ enabled: false, disabled_by_project: false });
    await at.ctl('account', 'enable', 'alice');
  });

  it('rotate-key gives a new key and ends the others', async () => {
    const { key } = (await at.json('account', 'rotate-key', 'alice', '--label', 'second')) as { key: string };
    const kept = await keysInForce('alice');
    expect(kept).toMatchObject([{ label: 'second', digest: createHash('sha256').update(key).digest() }]);
    expect((await at.ctl('account', 'rotate-key', 'alice')).out).toMatch(/1 key was revoked/);
    await declaring(at.database.sql).account('from-directory', { origin: 'directory' });
    expect(await at.ctl('account', 'rotate-key', 'from-directory')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/directory/) as string,
    });
  });

  it('acts name their author, or the user at the terminal', async () => {
    await at.ctl('account', 'create', 'dave', '--author', 'chief');
    const authors = await at.database.sql`select distinct author from administration_actions order by author`;
    expect(authors.map(({ author }) => String(author))).toEqual(['chief', 'tester@machine']);
    expect((await at.ctl('journal', 'verify')).code).toBe(0);
  });
});

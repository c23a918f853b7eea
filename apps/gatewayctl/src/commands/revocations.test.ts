import { canaries } from '@gateway/secrets/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Commands, openCommands } from '../testing/commands.ts';

const WHY = ['--author', 'chief', '--reason', 'left the company'];
let at: Commands;
beforeAll(async () => {
  at = await openCommands();
});
afterAll(() => at.close());
const inForce = (subject: string) => at.database.sql`
  select reason, author from subject_revocations where subject = ${subject} and lifted_at is null`;

describe('subject', () => {
  it('is revoked with author and reason, lifted, and revoked again', async () => {
    expect(await at.ctl('subject', 'revoke', 'alice', ...WHY)).toMatchObject({ code: 0, out: 'alice is revoked.\n' });
    expect(await inForce('alice')).toEqual([{ reason: 'left the company', author: 'chief' }]);
    expect((await at.ctl('subject', 'revoke', 'alice', ...WHY)).out).toBe(
      'alice was revoked already; nothing changed.\n',
    );
    expect(await at.ctl('subject', 'lift', 'alice', ...WHY)).toMatchObject({
      code: 0,
      out: 'alice is no longer revoked.\n',
    });
    expect(await inForce('alice')).toEqual([]);
    expect(await at.ctl('subject', 'lift', 'alice', ...WHY)).toMatchObject({
      code: 1,
      err: 'gatewayctl: alice is not on the revocation list.\n',
    });
    expect((await at.ctl('subject', 'revoke', 'alice', ...WHY)).code).toBe(0);
    const history = await at.database
      .sql`select lifted_by from subject_revocations where subject = 'alice' order by revoked_at`;
    expect(history).toEqual([{ lifted_by: 'chief' }, { lifted_by: null }]);
  });

  it('revoked by two at once is revoked once', async () => {
    await Promise.all(Array.from({ length: 6 }, () => at.ctl('subject', 'revoke', 'bob', ...WHY)));
    expect((await inForce('bob')).length).toBe(1);
  });

  it('takes a reason as long as the console does, and no longer', async () => {
    const because = (length: number) => ['--author', 'chief', '--reason', 'x'.repeat(length)];
    expect((await at.ctl('subject', 'revoke', 'long', ...because(300))).code).toBe(0);
    expect((await at.ctl('subject', 'revoke', 'longer', ...because(301))).code).toBe(2);
  });

  it('rejects a secret or a blank text as author or reason, and revokes a subject of any name', async () => {
    const key = canaries('reasons')[0]?.text ?? '';
    for (const [author, reason] of [
      ['chief', `leaked ${key}`],
      [key, 'leaked a key'],
      ['chief', '  '],
      [' ', 'leaked a key'],
    ] as const) {
      const refused = await at.ctl('subject', 'revoke', 'leaky', '--author', author, '--reason', reason);
      expect([refused.code, refused.err.includes(key)]).toEqual([2, false]);
      expect((await at.ctl('session', 'revoke', 'leaky', '--author', author, '--reason', reason)).code).toBe(2);
    }
    expect(await inForce('leaky')).toEqual([]);
    expect((await at.ctl('subject', 'revoke', key, ...WHY)).code).toBe(0);
  });

  it('needs author and reason', async () => {
    for (const words of [[], ['--author', 'a'], ['--reason', 'r'], ['--author', '', '--reason', 'r']]) {
      expect((await at.ctl('subject', 'revoke', 'carol', ...words)).code).toBe(2);
      expect((await at.ctl('subject', 'lift', 'alice', ...words)).code).toBe(2);
    }
    expect(await inForce('carol')).toEqual([]);
  });
});

describe('session', () => {
  it('is in force until it is revoked, and then says since when, by whom and why', async () => {
    expect((await at.ctl('session', 'standing', 'one')).out).toBe('The session one is in force.\n');
    expect(await at.json('session', 'standing', 'one')).toEqual({ session: 'one', standing: 'in force' });
    expect((await at.ctl('session', 'revoke', 'one', ...WHY)).out).toBe('The session one is revoked.\n');
    expect((await at.ctl('session', 'revoke', 'one', ...WHY)).out).toMatch(/already/);
    expect((await at.ctl('session', 'standing', 'one')).out).toMatch(
      /revoked since \d{4}-.*Z, by chief: left the company\./,
    );
  });

  it('is revoked under any name: the client that runs it chooses the name', async () => {
    for (const session of ['a\r\nb', ' blanks ', '\u202eabc', '\u001b[2J', '漢'.repeat(800), '🔒'.repeat(400)]) {
      const { code, out } = await at.ctl('session', 'revoke', session, ...WHY);
      expect([code, out.trimEnd()]).toEqual([0, expect.not.stringMatching(/[\p{Cc}\u202e]/u)]);
      expect(await at.json('session', 'standing', session)).toMatchObject({ session, standing: 'revoked' });
    }
    for (const none of ['', 'x'.repeat(801)]) expect((await at.ctl('session', 'revoke', none, ...WHY)).code).toBe(2);
  });

  it('takes its sub-agents with it', async () => {
    await at.database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('ada', 'child', 'one', 'ada'), ('ada', 'grandchild', 'child', 'ada')`;
    expect(await at.json('session', 'standing', 'grandchild')).toMatchObject({
      standing: 'revoked',
      revokedSession: 'one',
    });
    expect((await at.ctl('session', 'standing', 'child')).out).toMatch(/descends from one/);
  });
});

describe('organization', () => {
  it('is created and listed', async () => {
    expect((await at.ctl('organization', 'list')).out).toBe('There is no organization.\n');
    expect(await at.json('organization', 'list')).toEqual([]);
    expect((await at.ctl('organization', 'create', 'acme', 'Acme & Sons')).out).toBe(
      'Created the organization acme.\n',
    );
    expect(await at.json('organization', 'list')).toEqual([
      { slug: 'acme', name: 'Acme & Sons', policyRevision: null },
    ]);
    expect(await at.ctl('organization', 'create', 'acme', 'Again')).toMatchObject({ code: 1 });
    expect(await at.ctl('organization', 'create', 'No Slug', 'Name')).toMatchObject({ code: 2 });
  });
});

it('every act is in the administration log, which is intact', async () => {
  const acts = await at.database.sql<{ action: string; n: number }[]>`
    select action, count(*)::int as n from administration_actions group by action order by action`;
  expect(acts).toEqual([
    { action: 'organization.create', n: 1 },
    { action: 'session.revoke', n: 7 },
    { action: 'subject.lift', n: 1 },
    { action: 'subject.revoke', n: 5 },
  ]);
  expect((await at.ctl('journal', 'verify')).code).toBe(0);
});

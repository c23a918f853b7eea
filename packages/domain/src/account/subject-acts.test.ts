import { createHash } from 'node:crypto';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type TestDatabase,
} from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStanding, revokeSession } from '../session/acts.ts';
import { openSession, readSessionCaller } from '../session/console-sign-in.ts';
import { lockSubjectRevocation } from './console-subjects.ts';
import { liftSubject, revokeSubject } from './subject-acts.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const revoke = (subject: string, author = 'ada') =>
  administer((act) => revokeSubject(act, subject, `${subject} left`), author);
const lift = (subject: string, reason = 'came back') =>
  administer(async (act) => {
    const locked = await lockSubjectRevocation(act.sql, { inForceOf: subject });
    return locked && liftSubject(act, locked, reason);
  }, 'grace');
const isRefused = async (subject: string) =>
  (await database.sql`select from subject_revocations where subject = ${subject} and lifted_at is null`).length > 0;

describe('the revocation of a subject', () => {
  it('is recorded with its reason and author', async () => {
    const { result, entries } = await revoke('bob');
    expect(result).toMatchObject({ subject: 'bob', reason: 'bob left', author: 'ada', liftedAt: null });
    expect(entries).toMatchObject([
      { author: 'ada', action: 'subject.revoke', target: 'subject:bob', before: null, after: { reason: 'bob left' } },
    ]);
  });

  it('of one that is revoked already keeps the first reason and author', async () => {
    const first = await revoke('carol');
    expect(await revoke('carol', 'somebody else')).toEqual({ result: undefined, entries: [] });
    expect(await lockSubjectRevocation(database.sql, { inForceOf: 'carol' })).toEqual(first.result);
  });

  it('is lifted with a reason of its own, and both stay readable', async () => {
    const { result } = await revoke('dan');
    const lifted = await lift('dan');
    expect(lifted.result).toMatchObject({ reason: 'dan left', liftedBy: 'grace', liftReason: 'came back' });
    expect(lifted.entries).toMatchObject([
      { action: 'subject.lift', target: 'subject:dan', before: { liftedAt: null }, after: { liftedBy: 'grace' } },
    ]);
    expect(await lockSubjectRevocation(database.sql, { id: result?.id ?? '' })).toEqual(lifted.result);
    expect(await isRefused('dan')).toBe(false);
  });

  it('can follow one that was lifted, and both rows stay', async () => {
    await revoke('eve');
    await lift('eve');
    await revoke('eve');
    const rows = await database.sql`
      select lifted_at is null as in_force from subject_revocations where subject = 'eve' order by id`;
    expect([...rows]).toEqual([{ in_force: false }, { in_force: true }]);
  });

  it('is lifted once where two administrators lift it at the same moment: the first reason stays', async () => {
    await revoke('frank');
    const lock = "select from subject_revocations where subject = 'frank' for update";
    const outcomes = await allAtOnce(
      database.sql,
      lock,
      () => lift('frank', 'one reason'),
      () => lift('frank', 'another reason'),
    );
    const lifted = outcomes.flatMap((one) => (one.status === 'fulfilled' ? one.value.entries : []));
    expect(lifted).toHaveLength(1);
    const [row] = await database.sql`select lift_reason as reason from subject_revocations where subject = 'frank'`;
    expect(lifted).toMatchObject([{ after: { liftReason: row?.['reason'] } }]);
  });

  it('that was lifted before stays as it is when it is lifted again', async () => {
    const { result: revoked } = await revoke('gina');
    const { result: lifted } = await lift('gina');
    if (!revoked || !lifted) throw new Error('gina was revoked and lifted');
    expect(await administer((act) => liftSubject(act, lifted, 'again'))).toEqual({ result: lifted, entries: [] });
    expect(await lockSubjectRevocation(database.sql, { id: revoked.id })).toEqual(lifted);
  });

  // console-16
  it('ends the sessions of that subject in the console, and no others', async () => {
    const digest = (name: string) => createHash('sha256').update(name).digest();
    for (const name of ['hana', 'hannah']) {
      await openSession(database.sql, { digest: digest(name), subject: name, lifetimeSeconds: 600, replaces: null });
    }
    await revoke('hana');
    expect(await readSessionCaller(database.sql, digest('hana'))).toBeUndefined();
    expect(await readSessionCaller(database.sql, digest('hannah'))).toMatchObject({ subject: 'hannah' });
    await lift('hana');
    expect(await readSessionCaller(database.sql, digest('hana'))).toBeUndefined();
  });
});

const state = (subject: string, session: string, parent: string, at = 'now()') =>
  database.sql.unsafe(
    `insert into agent_session_lineage (subject, session, parent_session, author, stated_at) values ($1, $2, $3, $1, ${at})`,
    [subject, session, parent],
  );
const end = (session: string, author = 'ada') => administer((act) => revokeSession(act, session, 'stopped'), author);

describe('the revocation of a session', () => {
  it('is recorded, also for a session that nobody has seen', async () => {
    const { result, entries } = await end('unseen');
    expect(result).toMatchObject({ session: 'unseen', reason: 'stopped', author: 'ada' });
    expect(entries).toMatchObject([{ action: 'session.revoke', target: 'session:unseen', before: null }]);
    expect(await database.sql`select acts::int as acts from agent_sessions where session = 'unseen'`).toMatchObject([
      { acts: 0 },
    ]);
  });

  it('of one that is revoked already keeps the first', async () => {
    await end('ended');
    expect(await end('ended', 'somebody else')).toEqual({ result: undefined, entries: [] });
    expect(await readStanding(database.sql, 'ended')).toMatchObject({ standing: 'revoked', author: 'ada' });
  });
});

// workstation-9
describe('the standing of a session', () => {
  it('is in force where nobody knows it', async () => {
    expect(await readStanding(database.sql, 'nobody knows it')).toEqual({
      session: 'nobody knows it',
      standing: 'in force',
    });
  });

  it('is revoked with any of its ancestors, and names the one that was revoked', async () => {
    await state('ada', 'child', 'parent');
    await state('ada', 'parent', 'root');
    await state('ada', 'sibling', 'parent');
    await end('parent');
    for (const session of ['child', 'sibling', 'parent']) {
      expect(await readStanding(database.sql, session)).toMatchObject({
        standing: 'revoked',
        revokedSession: 'parent',
        reason: 'stopped',
        revokedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      });
    }
    expect(await readStanding(database.sql, 'root')).toMatchObject({ standing: 'in force' });
  });

  it('names the earliest revocation where several reach it', async () => {
    await state('ada', 'leaf', 'branch');
    await state('ada', 'branch', 'trunk');
    await end('trunk');
    await end('leaf');
    expect(await readStanding(database.sql, 'leaf')).toMatchObject({ revokedSession: 'trunk' });
  });

  it('follows the subject that first named a parent, where several did', async () => {
    await state('late', 'claimed', 'of-late', "now() - interval '1 minute'");
    await state('early', 'claimed', 'of-early', "now() - interval '2 minutes'");
    await end('of-late');
    expect(await readStanding(database.sql, 'claimed')).toMatchObject({ standing: 'in force' });
    await end('of-early');
    expect(await readStanding(database.sql, 'claimed')).toMatchObject({ revokedSession: 'of-early' });
  });

  it('is answered where sessions name each other as parents', async () => {
    await state('ada', 'circle-a', 'circle-b');
    await state('ada', 'circle-b', 'circle-a');
    expect(await readStanding(database.sql, 'circle-a')).toMatchObject({ standing: 'in force' });
    await end('circle-b');
    expect(await readStanding(database.sql, 'circle-a')).toMatchObject({ revokedSession: 'circle-b' });
  });
});

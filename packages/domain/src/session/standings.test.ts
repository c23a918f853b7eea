import { parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createStandingsReader, type StandingQuery, type StandingsReader, sessionKey } from './gateway.ts';

let database: TestDatabase;
let declare: Declare;
let reader: StandingsReader;
beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  reader = createStandingsReader(parseDatabaseAddress(database.gatewayUrl), 60_000);
});
afterAll(async () => {
  reader.close();
  await database.drop();
});
beforeEach(
  () => database.sql`
  truncate accounts, subject_revocations, agent_session_revocations, agent_session_lineage, agent_commands cascade`,
);

const NOTHING: StandingQuery = { sessions: [], subjects: [], registered: [], keys: [], commands: [] };
const ask = (question: Partial<StandingQuery>) => reader.read({ ...NOTHING, ...question });
const revokeSubject = (subject: string) => database.sql`
  insert into subject_revocations (id, subject, reason, author) values (${uuid()}, ${subject}, 'r', 'a')`;
const revokeSession = (session: string) => database.sql`
  insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a') on conflict do nothing`;
const state = (subject: string, session: string, parent: string) => database.sql`
  insert into agent_session_lineage (subject, session, parent_session, author)
  values (${subject}, ${session}, ${parent}, ${subject}) on conflict do nothing`;

describe('the standing of what runs', () => {
  it('is good where nothing was asked, and where nothing was revoked', async () => {
    const nobody = new Set();
    const good = {
      revokedSessions: nobody,
      revokedSubjects: nobody,
      disabledSubjects: nobody,
      revokedKeys: nobody,
      interruptedCommands: nobody,
    };
    expect(await ask({})).toEqual(good);
    await declare.account('ada');
    const [key] = await database.sql<{ id: string }[]>`select id from account_keys`;
    const asked = {
      sessions: [{ subject: 'ada', session: 's' }],
      subjects: ['ada'],
      registered: ['ada'],
      keys: [key?.id ?? ''],
    };
    expect(await ask({ ...asked, commands: [uuid()] })).toEqual(good);
  });

  it('tells each kind apart, and answers for what was asked alone', async () => {
    for (const name of ['ada', 'bob']) await declare.account(name);
    await declare.account('carol', { enabled: false });
    await revokeSubject('ada');
    await revokeSubject('not asked');
    const found = await ask({ subjects: ['ada', 'bob', 'carol', 'unknown'], registered: ['bob', 'deleted'] });
    expect(found.revokedSubjects).toEqual(new Set(['ada']));
    // A subject of the identity provider may have no account: only one that had it is disabled without.
    expect(found.disabledSubjects).toEqual(new Set(['carol', 'deleted']));
  });

  it('is bad for a key that was revoked, or deleted with its account, and good for one that expired meanwhile', async () => {
    const keys: string[] = [];
    for (const name of ['revoked', 'deleted', 'expired']) {
      const account = await declare.account(name);
      const [key] = await database.sql<{ id: string }[]>`select id from account_keys where account_id = ${account}`;
      keys.push(key?.id ?? '');
    }
    await database.sql`update account_keys set revoked_at = now() where id = ${keys[0] ?? ''}`;
    await database.sql`delete from accounts where username = 'deleted'`;
    await database.sql`update account_keys set expires_at = now() - interval '1 hour' where id = ${keys[2] ?? ''}`;
    expect((await ask({ keys })).revokedKeys).toEqual(new Set(keys.slice(0, 2)));
  });

  it('is that of the subject’s own session, whatever others call theirs', async () => {
    await state('ada', 'shared name', 'root');
    await revokeSession('root');
    const sessions = ['ada', 'bob'].map((subject) => ({ subject, session: 'shared name' }));
    expect((await ask({ sessions })).revokedSessions).toEqual(
      new Set([sessionKey({ subject: 'ada', session: 'shared name' })]),
    );
  });

  it('includes commands whose interruption was requested elsewhere', async () => {
    const [interrupted, other] = [uuid(), uuid()];
    for (const id of [interrupted, other]) {
      await database.sql`
        insert into agent_commands (id, subject, session, interpreter, started_at) values (${id}, 'ada', 's', 'sh', now())`;
    }
    await database.sql`insert into agent_command_interruptions (command_id) values (${interrupted})`;
    expect((await ask({ commands: [interrupted, other] })).interruptedCommands).toEqual(new Set([interrupted]));
  });

  it('is that of this moment: a revocation that was lifted counts no more', async () => {
    await revokeSubject('ada');
    expect((await ask({ subjects: ['ada'] })).revokedSubjects.size).toBe(1);
    await database.sql`update subject_revocations set lifted_at = now(), lifted_by = 'a'`;
    expect((await ask({ subjects: ['ada'] })).revokedSubjects.size).toBe(0);
  });

  it('is read for names of any text, and for thousands of them', async () => {
    const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll('\0', ''));
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(text, { minLength: 1, maxLength: 4 }), async (names) => {
        await database.sql`truncate subject_revocations, agent_session_revocations`;
        const [first = ''] = names;
        await revokeSubject(first);
        await revokeSession(first);
        const sessions = names.map((session) => ({ subject: `${session}"{}`, session }));
        const found = await ask({ subjects: names, sessions });
        expect(found.revokedSubjects).toEqual(new Set([first]));
        expect(found.revokedSessions).toEqual(new Set([sessionKey({ subject: `${first}"{}`, session: first })]));
      }),
      { numRuns: 30 },
    );
    const many = Array.from({ length: 3000 }, (_, n) => `subject-${n}`);
    await revokeSubject('subject-2999');
    expect((await ask({ subjects: many })).revokedSubjects).toEqual(new Set(['subject-2999']));
  });

  it('is never good by mistake: without an answer the question fails', async () => {
    const late = createStandingsReader(parseDatabaseAddress(database.gatewayUrl), 40);
    await database.sql.begin(async (sql) => {
      await sql`lock table subject_revocations in access exclusive mode`;
      await expect(late.read({ ...NOTHING, subjects: ['ada'] })).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    });
    late.close();
    const nowhere = createStandingsReader(parseDatabaseAddress('postgres://a:b@127.0.0.1:1/d'), 1000);
    await expect(nowhere.read(NOTHING)).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    nowhere.close();
  });
});

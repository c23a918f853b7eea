import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type AgentSession, listAgentSessions, readSessionRevocation, type SessionFilter } from './console.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => clear());

const clear = () => database.sql`
  truncate agent_sessions, agent_session_lineage, agent_session_parents, agent_session_revocations`;

interface Stated {
  readonly session: string;
  readonly subject: string;
  readonly parent: string | null;
}
const BEGIN = Date.UTC(2026, 0, 1);
/** Sessions as the triggers keep them, the last one stated the latest. */
async function make(sessions: readonly Stated[], revoked: readonly string[] = []): Promise<void> {
  const { sql } = database;
  for (const [place, { session, subject, parent }] of sessions.entries()) {
    await sql`
      insert into agent_sessions (session, subject, acts, first_at, last_at)
      values (${session}, ${subject}, ${place}, ${new Date(BEGIN)}, ${new Date(BEGIN + place * 1000)}) on conflict do nothing`;
    if (parent !== null && parent !== session) {
      await sql`
        insert into agent_session_lineage (subject, session, parent_session, author)
        values (${subject}, ${session}, ${parent}, ${subject}) on conflict do nothing`;
    }
  }
  for (const session of revoked) {
    await sql`
      insert into agent_session_revocations (session, reason, author) values (${session}, ${`why ${session}`}, 'ada')
      on conflict do nothing`;
  }
}
const ALL: SessionFilter = { session: null, subject: null, sessionPart: null, subjectPart: null, revoked: null };
const list = async (filter: Partial<SessionFilter> = {}): Promise<AgentSession[]> => [
  ...(await listAgentSessions(database.sql, { ...ALL, ...filter }, { limit: null, after: null })),
];
const names = (rows: readonly AgentSession[]) => rows.map(({ session }) => session);
const chain = (length: number): Stated[] =>
  Array.from({ length }, (_, n) => ({ session: `g-${n}`, subject: 'ada', parent: n === 0 ? null : `g-${n - 1}` }));

describe('sessions of agents', () => {
  it('are listed with the latest act first, and none where there is none', async () => {
    expect(await list()).toEqual([]);
    await make(chain(4));
    expect(names(await list())).toEqual(['g-3', 'g-2', 'g-1', 'g-0']);
    expect((await list())[0]).toMatchObject({ parents: ['g-2'], acts: 3, standing: 'in force', revocation: null });
  });

  it('show the revocation that reaches them, of themselves or of the ancestor, the earliest first', async () => {
    await make(chain(4), ['g-1']);
    await make([], ['g-3']);
    const shown = Object.fromEntries((await list()).map((row) => [row.session, row.revocation?.session ?? null]));
    expect(shown).toEqual({ 'g-0': null, 'g-1': 'g-1', 'g-2': 'g-1', 'g-3': 'g-1' });
    expect((await list({ session: 'g-2' }))[0]?.revocation).toMatchObject({
      author: 'ada',
      reason: 'why g-1',
      revokedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await readSessionRevocation(database.sql, 'g-2')).toBeUndefined();
    expect(await readSessionRevocation(database.sql, 'g-3')).toMatchObject({ reason: 'why g-3' });
  });

  it('are not revoked with a session of the same name that another subject works under', async () => {
    await make(
      [
        { session: 'child-of-ada', subject: 'ada', parent: 'shared' },
        { session: 'grandchild', subject: 'bob', parent: 'child-of-ada' },
      ],
      ['shared'],
    );
    const standings = Object.fromEntries((await list()).map(({ session, standing }) => [session, standing]));
    // Bob never named "shared" above the session of Ada that he names as his parent.
    expect(standings).toEqual({ shared: 'revoked', 'child-of-ada': 'revoked', grandchild: 'in force' });
  });

  it('are revoked over 32 generations, in the list and in its filter alike', async () => {
    await make(chain(40), ['g-0']);
    const standings = (await list()).toReversed().map(({ standing }) => standing);
    expect(standings).toEqual([...Array<string>(33).fill('revoked'), ...Array<string>(7).fill('in force')]);
    expect(names(await list({ revoked: true }))).toHaveLength(33);
    expect(names(await list({ revoked: false }))).toHaveLength(7);
  });

  it('are found by their names or parts of them, in any case, without patterns', async () => {
    await make([
      { session: 'Session-100%', subject: 'Ada', parent: null },
      { session: 'session-100', subject: 'bob', parent: null },
    ]);
    expect(names(await list({ sessionPart: 'SESSION-100' }))).toEqual(['session-100', 'Session-100%']);
    expect(names(await list({ sessionPart: '100%' }))).toEqual(['Session-100%']);
    expect(names(await list({ session: 'session-100%' }))).toEqual([]);
    expect(names(await list({ subjectPart: 'AD' }))).toEqual(['Session-100%']);
    expect(names(await list({ subject: 'ada' }))).toEqual([]);
    expect(names(await list({ sessionPart: '_' }))).toEqual([]);
  });
});

it('the filter by standing chooses exactly the sessions that show it, for any lineage with circles', async () => {
  const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
  const stated = fc.record({ session: name, subject: fc.constantFrom('ada', 'bob'), parent: fc.option(name) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(stated, { maxLength: 12 }),
      fc.array(name, { maxLength: 2 }),
      async (sessions, revoked) => {
        await clear();
        await make(sessions, revoked);
        const all = await list();
        const of = (standing: string) => names(all.filter((row) => row.standing === standing));
        expect(names(await list({ revoked: true }))).toEqual(of('revoked'));
        expect(names(await list({ revoked: false }))).toEqual(of('in force'));
      },
    ),
    { numRuns: 40 },
  );
});

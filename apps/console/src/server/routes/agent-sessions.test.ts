import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole, unique } from '../../testing/console.ts';

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
});
afterAll(() => here.stop());

const act = (session: string, more: { subject?: string; at?: string; parent?: string } = {}) => here.database.sql`
  insert into agent_acts (id, session, parent_session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
  values (gen_random_uuid(), ${session}, ${more.parent ?? null}, ${more.subject ?? 'ada'}, ${more.at ?? new Date().toISOString()},
    'read_file', 'path', '/etc/hosts', 'policy', 'succeeded')`;
const below = (session: string, parent: string, subject = 'ada') => here.database.sql`
  insert into agent_session_lineage (subject, session, parent_session, author)
  values (${subject}, ${session}, ${parent}, ${subject}) on conflict do nothing`;
const revoke = (session: string, reason = 'a test') =>
  here.pair.post(`/api/audit/agent-sessions/${encodeURIComponent(session)}/revocation`, { reason });
const listed = async (query: string) => (await here.pair.get(`/api/agent-sessions?${query}`)).json.agentSessions;

/** The client that runs a session names it. */
const HOSTILE = ['a\r\nb', ' blanks ', '\u202eabc', '\u001b[2J', '漢'.repeat(800), '🔒'.repeat(400)];

describe('an agent session', () => {
  it('is listed with what its acts say', async () => {
    const session = unique('session');
    await act(session, { at: '2026-01-02T00:00:00.000Z' });
    await act(session, { at: '2026-01-03T00:00:00.000Z', subject: 'grace' });
    await act(session, { at: '2026-01-01T00:00:00.000Z' });
    expect(await listed(`session=${session}`)).toEqual([
      {
        session,
        subject: 'ada',
        parents: [],
        acts: 3,
        firstAt: '2026-01-01T00:00:00.000Z',
        lastAt: '2026-01-03T00:00:00.000Z',
        standing: 'in force',
        revocation: null,
      },
    ]);
    expect(await listed('subject=grace'), 'anybody who names a session later does not describe it').toHaveLength(0);
  });
  it('is revoked with author and reason, known or not, once', async () => {
    for (const session of [unique('session'), 'a b/c?d#é', ...HOSTILE]) {
      const first = await revoke(session, 'it misbehaved');
      expect([first.status, first.json]).toEqual([
        201,
        { session, reason: 'it misbehaved', author: 'shared-pair', revokedAt: expect.any(String) },
      ]);
      const second = await revoke(session, 'again');
      expect([second.status, second.json]).toEqual([200, first.json]);
      expect(await listed(`revoked=true&session=${encodeURIComponent(session)}`)).toMatchObject([
        { session, standing: 'revoked', revocation: { session, reason: 'it misbehaved' } },
      ]);
    }
  });
  it('falls with any session above it, also when it appears later', async () => {
    const [top, middle, leaf] = [unique('top'), unique('middle'), unique('leaf')];
    await below(middle, top);
    await revoke(top);
    await below(leaf, middle);
    await act(leaf);
    expect(await listed(`session=${leaf}`)).toMatchObject([
      { standing: 'revoked', parents: [middle], revocation: { session: top } },
    ]);
    await revoke(middle);
    expect(await listed(`session=${leaf}`), 'the first of its line').toMatchObject([{ revocation: { session: top } }]);
  });
  it('is filtered by its listed state', async () => {
    const [subject, top, leaf, apart] = [unique('subject'), unique('top'), unique('leaf'), unique('apart')];
    for (const session of [top, leaf, apart]) await act(session, { subject });
    await below(leaf, top, subject);
    await below(top, leaf, subject);
    await revoke(top);
    const namesOf = async (query: string) =>
      (await listed(`subject=${subject}&${query}`)).map(({ session }: { session: string }) => session).sort();
    expect(await namesOf('revoked=true')).toEqual([leaf, top].sort());
    expect(await namesOf('revoked=false')).toEqual([apart]);
  });
  it('is distinguished in a circle of parents', async () => {
    const [one, two] = [unique('one'), unique('two')];
    await below(one, two);
    await below(two, one);
    await act(one);
    expect(await listed(`session=${one}`)).toMatchObject([{ standing: 'in force' }]);
  });
  it.each(['a\u0000b', 'x'.repeat(801)])('is not called %j', async (session) => {
    expect((await revoke(session)).json.fields).toHaveProperty('session');
  });
  it.each(['100%', '%zz', 'a%20%', '%ff', '%e2%82'])(
    'is not revoked by an address that cannot be read: %s',
    async (segment) => {
      const reply = await here.pair.post(`/api/audit/agent-sessions/${segment}/revocation`, { reason: 'a test' });
      expect([reply.status, reply.json.error]).toEqual([
        400,
        'Malformed request: the address holds a % that begins no character.',
      ]);
      expect(await listed(`session=${encodeURIComponent(segment)}`)).toEqual([]);
    },
  );
  it('needs a reason to be revoked', async () => {
    const reply = await here.pair.post('/api/audit/agent-sessions/x/revocation', {});
    expect([reply.status, Object.keys(reply.json.fields)]).toEqual([400, ['reason']]);
  });
  it('is listed page by page, the one with the latest act first', async () => {
    const own = unique('subject');
    for (const day of [1, 2, 3, 4, 5]) {
      await act(`${own}-${day}`, { subject: own, at: `2026-02-0${day}T00:00:00.000Z` });
    }
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { json } = await here.pair.get(
        `/api/agent-sessions?subject=${own}&limit=2${cursor && `&cursor=${cursor}`}`,
      );
      seen.push(...json.agentSessions.map(({ session }: { session: string }) => session));
      cursor = json.next;
    }
    expect(seen).toEqual([5, 4, 3, 2, 1].map((day) => `${own}-${day}`));
  });
  it.each(['日', '\u{1}', '😀'])('is listed past one whose name is as long as any, of %j', async (letter) => {
    const own = unique('subject');
    const longest = letter.repeat(800 / letter.length);
    await revoke(longest);
    await act(own, { subject: own, at: '2026-02-01T00:00:00.000Z' });
    const { json } = await here.pair.get('/api/agent-sessions?limit=1');
    expect(json.agentSessions).toMatchObject([{ session: longest }]);
    const { status, json: after } = await here.pair.get(`/api/agent-sessions?limit=1&cursor=${json.next}`);
    expect([status, after.agentSessions?.length]).toEqual([200, 1]);
  });
});

describe('agent commands', () => {
  it('are listed with their end, and those that run', async () => {
    const subject = unique('subject');
    const [one, two] = ['01890000-0000-7000-8000-000000000001', '01890000-0000-7000-8000-000000000002'];
    await here.database.sql`insert into agent_commands (id, subject, session, interpreter, started_at) values
      (${one}, ${subject}, 's-commands', 'bash', '2026-01-01T00:00:00Z'), (${two}, ${subject}, 's-commands', 'bash', '2026-01-02T00:00:00Z')`;
    await here.database
      .sql`insert into agent_command_ends (command_id, ended_at, code, duration_ms, stdout_bytes, stderr_bytes)
      values (${one}, '2026-01-01T00:00:01Z', 0, 1000, 5, 0)`;
    const { json } = await here.pair.get(`/api/agent-execution?subject=${subject}`);
    expect(json.commands).toMatchObject([
      { id: two, endedAt: null },
      { id: one, code: 0, durationMs: 1000, stdoutBytes: 5 },
    ]);
    const running = await here.pair.get(`/api/agent-execution?subject=${subject}&running=true`);
    expect(running.json.commands).toMatchObject([{ id: two }]);
    expect(await listed('session=s-commands')).toMatchObject([{ acts: 0, subject }]);
  });
});

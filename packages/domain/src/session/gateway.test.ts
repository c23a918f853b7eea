import { hash, randomUUID } from 'node:crypto';
import { parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AgentCommands, createAgentCommands, type StandingQuery, sessionKey } from './gateway.ts';

let database: TestDatabase;
let declare: Declare;
let commands: AgentCommands;

const anotherGateway = (patienceMs = 0) =>
  createAgentCommands({
    address: parseDatabaseAddress(database.gatewayUrl),
    budgetMs: 5000,
    standingsBudgetMs: 20_000,
    patienceMs,
  });

beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  commands = anotherGateway();
});
afterAll(async () => {
  commands.close();
  await database.drop();
});

const start = (more: Partial<Parameters<AgentCommands['recordStart']>[0]> = {}) => ({
  id: randomUUID(),
  subject: 'ada',
  session: 'one',
  parentSession: null,
  interpreter: 'sh',
  startedAt: new Date(),
  ...more,
});
const owned = (session: string, subject = 'ada') => ({ subject, session });
const end = (id: string, more = {}) => ({
  id,
  endedAt: new Date('2026-01-31T10:00:00.123Z'),
  code: 7,
  signal: null,
  cause: null,
  fault: null,
  duration: 12,
  stdoutBytes: 2 ** 40,
  stderrBytes: 0,
  ...more,
});
async function started(gateway: AgentCommands) {
  const command = start();
  await gateway.recordStart(command);
  return command;
}
/** The test's own time limit is the bound. */
async function until(probe: () => Promise<boolean>) {
  while (!(await probe())) await new Promise((resolve) => setTimeout(resolve, 50));
}
/** Resolves once PostgreSQL noticed that the gateway of a command has ended. */
async function vanished(id: string) {
  await until(async () => (await commands.orphans([])).includes(id));
}
const standings = (query: Partial<StandingQuery>) =>
  commands.standings({ sessions: [], subjects: [], registered: [], keys: [], commands: [], ...query });

describe('the record of a command', () => {
  it('has its start and its end', async () => {
    const started = start({ session: 'é " {}', interpreter: '/usr/bin/env' });
    await commands.recordStart(started);
    await commands.recordEnd(end(started.id));
    const [row] = await database.sql`
      select * from agent_commands join agent_command_ends on command_id = id where id = ${started.id}`;
    expect(row).toMatchObject({
      subject: 'ada',
      session: 'é " {}',
      interpreter: '/usr/bin/env',
      started_at: started.startedAt,
      ended_at: new Date('2026-01-31T10:00:00.123Z'),
      code: 7,
      cause: null,
      duration_ms: 12n,
      stdout_bytes: 2n ** 40n,
    });
  });
  it('may be of a session and a subject with the longest names, which no compression makes shorter', async () => {
    const name = (characters: number) =>
      Array.from({ length: characters }, (_, index) =>
        String.fromCodePoint(0x4000 + (Number.parseInt(hash('sha256', String(index)).slice(0, 4), 16) % 0x5000)),
      ).join('');
    const started = start({ session: name(800), subject: name(400) });
    await commands.recordStart(started);
    const [row] = await database.sql`select session from agent_commands where id = ${started.id}`;
    expect(row).toEqual({ session: started.session });
  });
  it('keeps the first end, even after repeated reports', async () => {
    const started = start();
    await commands.recordStart(started);
    await commands.recordEnd(end(started.id, { code: null, signal: 'SIGKILL', cause: 'revoked' }));
    await commands.recordEnd(end(started.id, { code: 1 }));
    const rows =
      await database.sql`select code, signal, cause from agent_command_ends where command_id = ${started.id}`;
    expect([...rows]).toEqual([{ code: null, signal: 'SIGKILL', cause: 'revoked' }]);
  });
  it('cannot be changed or erased by the gateway', async () => {
    const [row] = await database.sql`select
      has_table_privilege('gateway_service', 'agent_commands', 'update, delete, truncate') as commands,
      has_table_privilege('gateway_service', 'agent_command_ends', 'update, delete, truncate') as ends`;
    expect(row).toEqual({ commands: false, ends: false });
  });
  it('refuses an end without a start', async () => {
    await expect(commands.recordEnd(end(randomUUID()))).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  });
});

describe('revoked work', () => {
  it('is nothing where nothing was revoked', async () => {
    await declare.account('ada');
    expect(
      await standings({ sessions: [owned('one')], subjects: ['ada', 'unknown'], commands: [randomUUID()] }),
    ).toEqual({
      revokedSessions: new Set(),
      revokedSubjects: new Set(),
      disabledSubjects: new Set(),
      revokedKeys: new Set(),
      interruptedCommands: new Set(),
    });
  });
  it('is a revoked session and its descendants, as commands named them', async () => {
    await commands.recordStart(start({ session: 'child', parentSession: 'root' }));
    await commands.recordStart(start({ session: 'self', parentSession: 'self' }));
    await database.sql`insert into agent_session_revocations (session, reason, author) values ('root', 'r', 'a')`;
    const { revokedSessions } = await standings({
      sessions: ['root', 'child', 'self', 'one', 'NULL', '"'].map((session) => owned(session)),
    });
    expect(revokedSessions).toEqual(new Set([sessionKey(owned('root')), sessionKey(owned('child'))]));
  });
  it('is a session that named a revoked one as its parent, though no command of it started', async () => {
    await commands.recordDescent(owned('never-started'), 'root');
    await commands.recordDescent(owned('never-started'), 'root');
    await commands.recordDescent(owned('root-of-itself'), 'root-of-itself');
    const { revokedSessions } = await standings({ sessions: [owned('never-started'), owned('root-of-itself')] });
    expect(revokedSessions).toEqual(new Set([sessionKey(owned('never-started'))]));
    expect(await database.sql`select from agent_session_lineage where session = parent_session`).toHaveLength(0);
  });
  it('is a revoked subject until the revocation is lifted', async () => {
    await database.sql`insert into subject_revocations (id, subject, reason, author) values (${randomUUID()}, 'eve', 'r', 'a')`;
    expect((await standings({ subjects: ['eve', 'ada'] })).revokedSubjects).toEqual(new Set(['eve']));
    await database.sql`update subject_revocations set lifted_at = now(), lifted_by = 'a' where subject = 'eve'`;
    expect((await standings({ subjects: ['eve', 'ada'] })).revokedSubjects).toEqual(new Set());
  });
  it('is a disabled account', async () => {
    await declare.account('dora', { enabled: false });
    expect((await standings({ subjects: ['dora', 'ada'] })).disabledSubjects).toEqual(new Set(['dora']));
  });
  it('is an account that was removed from the registry', async () => {
    await declare.account('gwen');
    const query = { subjects: ['gwen', 'unregistered'], registered: ['gwen'] };
    expect((await standings(query)).disabledSubjects).toEqual(new Set());
    await database.sql`delete from accounts where username = 'gwen'`;
    expect((await standings(query)).disabledSubjects).toEqual(new Set(['gwen']));
  });
  it('is queried for many commands at once', async () => {
    const sessions = Array.from({ length: 2000 }, (_, index) => owned(index === 1999 ? 'child' : `many ${index}`));
    expect((await standings({ sessions })).revokedSessions).toEqual(new Set([sessionKey(owned('child'))]));
  });
  it('is not the session of another subject that has the same name', async () => {
    await commands.recordStart(start({ session: 'shared', parentSession: 'root', subject: 'bob' }));
    const { revokedSessions } = await standings({ sessions: [owned('shared'), owned('shared', 'bob')] });
    expect(revokedSessions).toEqual(new Set([sessionKey(owned('shared', 'bob'))]));
  });
});

describe('an interruption requested from another gateway', () => {
  it('reaches the command of its own subject, while it runs', async () => {
    const { id } = start();
    await commands.recordStart(start({ id }));
    expect(await commands.askInterruption(id, 'eve')).toBe(false);
    expect((await standings({ commands: [id] })).interruptedCommands).toEqual(new Set());
    expect(await commands.askInterruption(id, 'ada')).toBe(true);
    expect(await commands.askInterruption(id, 'ada')).toBe(true);
    expect((await standings({ commands: [id, randomUUID()] })).interruptedCommands).toEqual(new Set([id]));
    await commands.recordEnd(end(id));
    expect(await commands.askInterruption(id, 'ada')).toBe(false);
  });
  it('is refused for what is no command', async () => {
    expect(await commands.askInterruption('nothing', 'ada')).toBe(false);
    expect(await commands.askInterruption(randomUUID(), 'ada')).toBe(false);
  });
  it('is refused for one whose gateway has ended, and stored in case it returns', async () => {
    const other = anotherGateway();
    const { id } = await started(other);
    other.close();
    await vanished(id);
    expect(await commands.askInterruption(id, 'ada')).toBe(false);
    expect((await standings({ commands: [id] })).interruptedCommands).toEqual(new Set([id]));
  });
  it('is granted for one whose gateway lost its connections and returns in time', async () => {
    const [other, patient] = [anotherGateway(), anotherGateway(60_000)];
    const { id } = await started(other);
    other.close();
    await vanished(id);
    const asked = patient.askInterruption(id, 'ada');
    await until(async () => (await standings({ commands: [id] })).interruptedCommands.has(id));
    await other.standings({ sessions: [], subjects: [], registered: [], keys: [], commands: [id] });
    expect(await asked).toBe(true);
    for (const one of [other, patient]) one.close();
  });
  it('is refused for one whose gateway has open connections but sends nothing: it is frozen', async () => {
    const other = anotherGateway();
    const { id } = await started(other);
    expect(await commands.orphans([])).not.toContain(id);
    await vanished(id); // five seconds after its last statement
    expect(await commands.askInterruption(id, 'ada')).toBe(false);
    const [holder] = await database.sql`
      select from pg_locks join running_agent_commands on objid::bigint = gateway where command_id = ${id}`;
    expect(holder).toBeDefined();
    other.close();
  });
});

describe('the end of a command whose gateway has ended', () => {
  const endOf = (id: string) => database.sql`
    select cause, code, duration_ms, stdout_bytes, stderr_bytes from agent_command_ends where command_id = ${id}`;
  const unknown = { code: null, duration_ms: null, stdout_bytes: null, stderr_bytes: null };

  it('is recorded by another one, without unknown values, and counts', async () => {
    const other = anotherGateway();
    const { id } = await started(other);
    expect(await commands.orphans([])).not.toContain(id);
    expect(await commands.recordLost([id])).toBe(0);
    expect(await endOf(id)).toHaveLength(0);
    other.close();
    await vanished(id);
    expect(await commands.recordLost([id, randomUUID()])).toBe(1);
    expect(await commands.recordLost([id])).toBe(0);
    expect([...(await endOf(id))]).toEqual([{ cause: 'lost', ...unknown }]);
    expect(await commands.orphans([])).not.toContain(id);
    await other.recordEnd(end(id));
    expect([...(await endOf(id))]).toEqual([{ cause: 'lost', ...unknown }]);
    const { interruptedCommands } = await other.standings({
      sessions: [],
      subjects: [],
      registered: [],
      keys: [],
      commands: [id],
    });
    expect(interruptedCommands).toEqual(new Set([id]));
    other.close();
  });
  it('is recorded for a command unknown to this gateway: a start that seemed to have failed', async () => {
    const [{ id }, { id: mine }] = [await started(commands), await started(commands)];
    expect(await commands.orphans([mine])).toContain(id);
    expect(await commands.orphans([mine])).not.toContain(mine);
    await commands.recordLost([id]);
    expect([...(await endOf(id))]).toEqual([{ cause: 'lost', ...unknown }]);
  });
  it('is not needed where it was recorded', async () => {
    const other = anotherGateway();
    const { id } = await started(other);
    await other.recordEnd(end(id));
    other.close();
    expect(await database.sql`select from running_agent_commands where command_id = ${id}`).toHaveLength(0);
    await commands.recordLost([id]);
    expect([...(await endOf(id))]).toMatchObject([{ cause: null, code: 7 }]);
  });
  it('alone may be without duration and bytes', async () => {
    const { id } = await started(commands);
    await expect(
      database.sql`insert into agent_command_ends (command_id, ended_at, cause) values (${id}, now(), 'revoked')`,
    ).rejects.toThrow('agent_command_ends_known');
  });
});

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../connect.ts';
import { createTestDatabase, type Declare, declaring, type TestDatabase } from '../testing/index.ts';
import { type AgentCommands, createAgentCommands, type StandingQuestion } from './agent-commands.ts';

let database: TestDatabase;
let declare: Declare;
let commands: AgentCommands;

beforeAll(async () => {
  database = await createTestDatabase();
  declare = declaring(database.sql);
  commands = createAgentCommands({
    address: parseDatabaseAddress(database.gatewayUrl),
    budgetMs: 5000,
    standingsBudgetMs: 2000,
  });
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
const standings = (question: Partial<StandingQuestion>) =>
  commands.standings({ sessions: [], subjects: [], commands: [], ...question });

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
  it('keeps the first end, however often it is told', async () => {
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

describe('what may not go on', () => {
  it('is nothing where nothing was revoked', async () => {
    await declare.account('ada');
    expect(await standings({ sessions: ['one'], subjects: ['ada', 'unknown'], commands: [randomUUID()] })).toEqual({
      revokedSessions: new Set(),
      revokedSubjects: new Set(),
      disabledSubjects: new Set(),
      interruptedCommands: new Set(),
    });
  });
  it('is a revoked session and those that descend from it, as commands told', async () => {
    await commands.recordStart(start({ session: 'child', parentSession: 'root' }));
    await commands.recordStart(start({ session: 'self', parentSession: 'self' }));
    await database.sql`insert into agent_session_revocations (session, reason, author) values ('root', 'r', 'a')`;
    const { revokedSessions } = await standings({ sessions: ['root', 'child', 'self', 'one', 'NULL', '"'] });
    expect(revokedSessions).toEqual(new Set(['root', 'child']));
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
  it('is asked for many at once', async () => {
    const sessions = Array.from({ length: 2000 }, (_, index) => (index === 1999 ? 'child' : `many ${index}`));
    expect((await standings({ sessions })).revokedSessions).toEqual(new Set(['child']));
  });
});

describe('an interruption asked of another gateway', () => {
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
  it('is refused for what is no command, or one that a killed gateway left long ago', async () => {
    expect(await commands.askInterruption('nothing', 'ada')).toBe(false);
    expect(await commands.askInterruption(randomUUID(), 'ada')).toBe(false);
    const old = start({ startedAt: new Date(Date.now() - 25 * 3_600_000) });
    await commands.recordStart(old);
    expect(await commands.askInterruption(old.id, 'ada')).toBe(false);
  });
});

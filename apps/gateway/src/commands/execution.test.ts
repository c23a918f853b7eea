import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { PassThrough } from 'node:stream';
import { type Command, type CommandEvent, sentenceOf } from '@gateway/contract';
import { parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, declaring, type TestDatabase } from '@gateway/database/testing';
import { type AgentCommands, createAgentCommands } from '@gateway/domain/session/gateway';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inspectorUnder } from '../testing/inspector.ts';
import { Execution } from './execution.ts';
import { type Launcher, processLauncher as openLauncher } from './launcher.ts';
import { gone, processesWith, running, uniqueSleep, until } from './testing/processes.ts';
import { makeWorkdir, SMALL, shell } from './testing/run.ts';

const pipes = await makeWorkdir();
const processLauncher = await openLauncher(pipes.path);

let database: TestDatabase;
let record: AgentCommands;
let workdir: Awaited<ReturnType<typeof makeWorkdir>>;
let executions: Execution[];
let said: string[];

beforeAll(async () => {
  database = await createTestDatabase();
  record = createAgentCommands({
    address: parseDatabaseAddress(database.gatewayUrl),
    budgetMs: 5000,
    standingsBudgetMs: 20_000,
  });
});
afterAll(async () => {
  record.close();
  await database.drop();
  await processLauncher.close();
  await pipes.remove();
});
beforeEach(async () => {
  workdir = await makeWorkdir();
  executions = [];
  said = [];
});
afterEach(async () => {
  await Promise.all(executions.map((one) => one.close()));
  await workdir.remove();
});

async function open(
  launcher: Launcher = processLauncher,
  more: Partial<Parameters<typeof Execution.open>[0]> = {},
): Promise<Execution> {
  const report = (line: string) => said.push(line);
  const execution = await Execution.open({
    launcher,
    workdir: workdir.path,
    limits: SMALL,
    commands: 16,
    record,
    detections: { writeLater: () => {} },
    report,
    ...more,
  });
  executions.push(execution);
  return execution;
}
/** Begins a command and returns its events once it has ended. */
async function begin(execution: Execution, command: Command, subject = 'ada', registered = false) {
  const identifier = randomUUID();
  const granted = { identifier, subject, registered, command, policy: null, inspector: inspectorUnder(null) };
  await execution.recordStart(granted);
  const caller = new PassThrough();
  const over = execution.run(granted, caller);
  const events = (async () => {
    let text = '';
    for await (const chunk of caller) text += String(chunk);
    await over;
    return text
      .trimEnd()
      .split('\n')
      .map((line): CommandEvent => JSON.parse(line));
  })();
  events.catch(() => {}); // A caller that left has no whole stream.
  return { identifier, caller, events };
}
const endOf = async (identifier: string) => {
  const rows = () => database.sql`select * from agent_command_ends where command_id = ${identifier}`;
  await until(async () => (await rows()).length === 1);
  return (await rows())[0];
};
const revokeSession = (session: string) =>
  database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`;

describe('running a command', () => {
  it('records that it ran and how it ended', async () => {
    const execution = await open();
    const { identifier, events } = await begin(execution, shell('echo one; exit 3'));
    expect((await events).at(-1)).toMatchObject({ evenement: 'fin', code: 3 });
    expect(await endOf(identifier)).toMatchObject({ code: 3, cause: null, stdout_bytes: 4n });
  });
  it('keeps the directory of a session between its commands and after a restart', async () => {
    await (await begin(await open(), shell('echo kept > note', { session: 'files' }))).events;
    const events = await (await begin(await open(), shell('cat note', { session: 'files' }))).events;
    expect(events[1]).toMatchObject({ donnees: Buffer.from('kept\n').toString('base64') });
  });
  // commands-10
  it('gives two subjects two directories for one name', async () => {
    const execution = await open();
    await (await begin(execution, shell('echo mine > note', { session: 'same' }), 'ada')).events;
    expect((await (await begin(execution, shell('cat note', { session: 'same' }), 'eve')).events).at(-1)).toMatchObject(
      { code: 1 },
    );
  });
  it('that this host cannot start is reported to its caller and logged for the operator', async () => {
    const broken: Launcher = { ...processLauncher, launch: () => Promise.reject(new Error('no control group')) };
    const { identifier, events } = await begin(await open(broken), shell('true'));
    expect((await events).map(({ evenement }) => evenement)).toEqual(['demarre', 'erreur', 'fin']);
    expect(said).toEqual(['An agent command could not be started: no control group']);
    expect(await endOf(identifier)).toMatchObject({
      code: null,
      fault: expect.stringContaining('could not be started'),
    });
  });
  it('that exceeds the system’s limit is reported only to its caller', async () => {
    const { identifier, events } = await begin(await open(), shell('true', { arguments: ['-c', 'x'.repeat(200_000)] }));
    const message =
      'The command could not be started: its arguments and variables are more or longer than the system takes.';
    expect((await events).slice(1)).toMatchObject([
      { evenement: 'erreur', message },
      { evenement: 'fin', code: null },
    ]);
    expect(said).toEqual([]);
    expect(await endOf(identifier)).toMatchObject({ code: null, fault: message });
  });
  it('has slots, given back', async () => {
    const execution = await open();
    const slots = Array.from({ length: 4 }, () => execution.takeSlot('ada'));
    const fifth = execution.takeSlot('ada');
    expect('refused' in fifth && sentenceOf(fifth.refused)).toMatch(/already run 4/);
    for (const slot of slots) if ('release' in slot) slot.release();
    expect(execution.takeSlot('ada')).toHaveProperty('release');
  });
});

describe('interrupting a command', () => {
  it('is for its own subject only', async () => {
    const execution = await open();
    const { identifier, events } = await begin(execution, shell('sleep 60'));
    expect(await execution.interrupt(identifier, 'eve')).toBe(false);
    expect(await execution.interrupt(randomUUID(), 'ada')).toBe(false);
    expect(await execution.interrupt(identifier, 'ada')).toBe(true);
    expect((await events).at(-1)).toMatchObject({ interrompu: true });
    expect(await endOf(identifier)).toMatchObject({ cause: 'interrupted' });
    expect(await execution.interrupt(identifier, 'ada')).toBe(false);
  });
  it.each([
    ['interrupted', [], (execution: Execution, identifier: string) => execution.interrupt(identifier, 'ada')],
    [
      'revoked',
      ['The session or the subject of this command was revoked.'],
      (_execution: Execution, _identifier: string, session: string) => revokeSession(session),
    ],
  ] as const)('that is %s before it runs starts nothing of it', async (cause, reported, stop) => {
    const [preparing, ready, noticed] = [0, 1, 2].map(() => Promise.withResolvers<void>());
    let launches = 0;
    const launcher: Launcher = {
      ...processLauncher,
      async prepareDirectory() {
        preparing?.resolve();
        await ready?.promise;
      },
      launch(...words) {
        launches += 1;
        return processLauncher.launch(...words);
      },
    };
    const session = randomUUID();
    const standings: AgentCommands['standings'] = async (query) => {
      const answer = await record.standings(query);
      if ([...answer.revokedSessions].some((key) => key.endsWith(session))) setImmediate(() => noticed?.resolve());
      return answer;
    };
    const execution = await open(launcher, { record: { ...record, standings } });
    const { identifier, events } = await begin(execution, shell('true', { session }));
    await preparing?.promise;
    await stop(execution, identifier, session);
    if (cause === 'revoked') await noticed?.promise;
    ready?.resolve();
    expect(await events).toMatchObject([
      { evenement: 'demarre', identifiant: identifier, session },
      ...reported.map((message) => ({ evenement: 'erreur', message })),
      { evenement: 'fin', code: null, signal: null, interrompu: true },
    ]);
    expect(launches).toBe(0);
    expect(await endOf(identifier)).toMatchObject({ cause, fault: null, stdout_bytes: 0n });
  });
  it('reaches the gateway that runs it, from another one', async () => {
    const [holder, other] = [await open(), await open()];
    const { identifier, events } = await begin(holder, shell('sleep 60'));
    expect(await other.interrupt(identifier, 'eve')).toBe(false);
    expect(await other.interrupt(identifier, 'ada')).toBe(true);
    expect((await events).at(-1)).toMatchObject({ interrompu: true });
    expect(await endOf(identifier)).toMatchObject({ cause: 'interrupted' });
  });
});

describe('a revocation', () => {
  // commands-11
  it('of a session stops its commands on every gateway and destroys its directory', async () => {
    const gateways = [await open(), await open()];
    const marker = uniqueSleep();
    const session = randomUUID();
    const begun = await Promise.all(
      gateways.map((one) => begin(one, shell(`echo x > file; sleep ${marker}`, { session }))),
    );
    await running(`sleep\0${marker}`);
    await revokeSession(session);
    await gone(marker);
    for (const { identifier, events } of begun) {
      expect((await events).map(({ evenement }) => evenement).slice(-2)).toEqual(['erreur', 'fin']);
      expect(await endOf(identifier)).toMatchObject({ cause: 'revoked' });
    }
    await until(() => readdirSync(workdir.path).length === 0);
  });
  it('of a session takes those below it, also when they run', async () => {
    const [parent, child] = [randomUUID(), randomUUID()];
    const { events } = await begin(await open(), shell('sleep 60', { session: child, parentSession: parent }));
    await revokeSession(parent);
    expect((await events).at(-1)).toMatchObject({ interrompu: true });
  });
  it('of a subject stops its commands, even if they ignore SIGTERM, and no others', async () => {
    const execution = await open();
    const [mine, other] = [uniqueSleep(), uniqueSleep()];
    const subject = `leaver-${randomUUID()}`;
    await begin(execution, shell(`trap '' TERM; sleep ${mine}; sleep ${mine}`), subject);
    const kept = await begin(execution, shell(`sleep ${other}`));
    await running(`sleep\0${mine}`);
    await running(`sleep\0${other}`);
    await database.sql`insert into subject_revocations (id, subject, reason, author) values (${randomUUID()}, ${subject}, 'r', 'a')`;
    await gone(mine);
    expect(processesWith(`sleep\0${other}`)).toHaveLength(1);
    kept.caller.destroy();
    await gone(other);
  });
  it('is the deletion of an account, too', async () => {
    const execution = await open();
    await declaring(database.sql).account('gwen');
    const { identifier, events } = await begin(execution, shell('sleep 60'), 'gwen', true);
    await database.sql`delete from accounts where username = 'gwen'`;
    expect((await events).at(-1)).toMatchObject({ interrompu: true });
    expect(await endOf(identifier)).toMatchObject({ cause: 'revoked' });
  });
  it('of a session without a command destroys its directory too, also one of an earlier run', async () => {
    const session = randomUUID();
    const first = await open();
    await (await begin(first, shell('echo x > file', { session }))).events;
    await first.close();
    await open();
    expect(readdirSync(workdir.path)).toHaveLength(2);
    await revokeSession(session);
    await until(() => readdirSync(workdir.path).length === 0);
  });
});

it('ends in order when the gateway is stopped', async () => {
  const execution = await open();
  const marker = uniqueSleep();
  const { identifier, events } = await begin(execution, shell(`sleep ${marker}`));
  await running(`sleep\0${marker}`);
  await execution.close();
  await gone(marker);
  expect((await events).at(-2)).toMatchObject({ message: 'This gateway is being stopped.' });
  expect(await endOf(identifier)).toMatchObject({ cause: 'shutdown' });
  expect(existsSync(workdir.path)).toBe(true);
});

it('reports at its end how many command ends the database did not store', async () => {
  const recordEnd = () => Promise.reject(new Error('the database is away'));
  const execution = await open(processLauncher, { record: { ...record, recordEnd } });
  await (await begin(execution, shell('true'))).events;
  await execution.close();
  expect(said).toEqual(['Ends of agent commands that could not be recorded before the end: 1.']);
});

import { randomUUID } from 'node:crypto';
import { keyOf } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, ask } from '../testing/caller.ts';
import { COMMANDS, type CommandsWorld, commandBody, startCommandsWorld } from './testing/commands-world.ts';
import { processesWith, uniqueSleep, until } from './testing/processes.ts';

const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to run agent commands here.';
const NOBODY = '01890000-0000-7000-8000-000000000000';

let commands: CommandsWorld;
beforeAll(async () => {
  commands = await startCommandsWorld();
});
afterAll(() => commands.stop());

describe('a command is refused', () => {
  const refused = async (asking: Asking, port?: number) => {
    const { status, json } = await commands.post(asking, port);
    return [status, (json as { error?: string }).error];
  };
  it('without a proof, and with one from no issuer', async () => {
    const missing = [401, 'Missing credentials. Set apiKey in your gateway config.'];
    expect(await ask(commands.world.port, COMMANDS, { body: '{' })).toMatchObject({
      status: 401,
      json: { error: missing[1] },
    });
    expect(await refused({ key: `gwk_${'0'.repeat(48)}` })).toEqual([401, 'Unauthorized.']);
    expect(await refused({ key: 'nonsense' })).toEqual([401, 'Unauthorized.']);
    expect(await refused({ key: 'a.b.c' })).toEqual([401, 'Unauthorized.']);
  });
  it('without the right, before its body is read', async () => {
    expect(await refused({ key: keyOf('roleless'), body: '{' })).toEqual([403, NO_ROLE]);
  });
  it('of a revoked subject', async () => {
    const key = await commands.world.account('gone');
    await commands.world.database
      .sql`insert into subject_revocations (id, subject, reason, author) values (${randomUUID()}, 'gone', 'r', 'a')`;
    expect((await refused({ key }))[0]).toBe(403);
    expect((await refused({ key }, commands.bare))[1]).toMatch(/^Your access to this instance has been revoked/);
    expect((await commands.interrupt(NOBODY, key)).status).toBe(403);
  });
  // commands-3
  it('without a launcher, after everything about its caller', async () => {
    const [status, error] = await refused({ body: '{' }, commands.bare);
    expect(status).toBe(501);
    expect(error).toMatch(
      /^This gateway runs no agent commands: no launcher is configured \(GATEWAY_AGENT_LAUNCHER\)\./,
    );
    expect(await refused({ key: keyOf('roleless') }, commands.bare)).toEqual([403, NO_ROLE]);
    expect((await commands.interrupt(NOBODY, commands.world.key, commands.bare)).status).toBe(501);
  });
  it.each([
    ['The request body must be a JSON object.', ''],
    ['The request body must be a JSON object.', '{'],
    ['The request body must be a JSON object.', '[]'],
    ['The request body must be a JSON object.', Buffer.from([0x22, 0xff, 0x22])],
    ['session must be a non-empty string.', { ...commandBody('true'), session: '' }],
    ['interpreteur must be a non-empty string.', { ...commandBody('true'), interpreteur: 7 }],
    ['arguments must be an array of strings.', { ...commandBody('true'), arguments: undefined }],
    ['variablesSupplementaires must be an object.', { ...commandBody('true'), variablesSupplementaires: [] }],
    [
      'variablesSupplementaires.LEVEL must be a string.',
      { ...commandBody('true'), variablesSupplementaires: { LEVEL: 7 } },
    ],
    // commands-2
  ])('with the sentence: %s', async (sentence, faulty) => {
    expect(await refused({ body: faulty })).toEqual([400, sentence]);
  });
  it('where its body is larger than any command', async () => {
    expect((await refused({ body: Buffer.alloc(5 * 2 ** 20, 32) }))[0]).toBe(413);
  });
  it('where one variable is longer than a sandbox can pass on', async () => {
    const [status, sentence] = await refused({
      body: { ...commandBody('true'), variablesSupplementaires: { X: 'y'.repeat(70_000) } },
    });
    expect([status, sentence]).toEqual([
      413,
      expect.stringMatching(/^variablesSupplementaires\.X is longer than 65536 bytes\./),
    ]);
  });
  it('in a revoked session, as the relay refuses it', async () => {
    const session = randomUUID();
    await commands.revokeSession(session);
    const answer = await commands.post({ body: commandBody('true', { session }) });
    expect(answer).toMatchObject({
      status: 403,
      headers: { 'x-gateway-session-standing': 'revoked' },
      json: {
        error: "This agent session was revoked by your organization's administration.",
        code: 'agent-session-revoked',
        revokedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });
  it('that names a revoked session, or a descendant of one, as its parent, before anything of it runs', async () => {
    const [revoked, below] = [randomUUID(), randomUUID()];
    await commands.world.database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('caller', ${below}, ${revoked}, 'test')`;
    await commands.revokeSession(revoked);
    for (const parentSession of [revoked, below]) {
      for (const expect100 of [{}, { expect: '100-continue' }]) {
        const session = randomUUID();
        const answer = await commands.post({
          body: commandBody('true', { session, parentSession }),
          headers: expect100,
        });
        expect(answer).toMatchObject({ status: 403, json: { code: 'agent-session-revoked' } });
        expect(await commands.world.database.sql`select from agent_commands where session = ${session}`).toHaveLength(
          0,
        );
        // Known from then on, also where it leaves its parent out (workstation-10).
        expect(await commands.post({ body: commandBody('true', { session }) })).toMatchObject({ status: 403 });
        const relayed = await ask(commands.world.port, '/chat/x', {
          key: commands.world.key,
          headers: { 'x-gateway-session': session },
        });
        expect(relayed).toMatchObject({ status: 403, json: { code: 'agent-session-revoked' } });
      }
    }
    expect(
      (await commands.post({ body: commandBody('true', { session: randomUUID(), parentSession: randomUUID() }) }))
        .status,
    ).toBe(200);
  });
  // commands-12
  it('beyond four at once for a subject, and a slot is free again when one has ended', async () => {
    const key = await commands.world.account('busy');
    const four = await Promise.all(Array.from({ length: 4 }, () => commands.begin('sleep 60', {}, key)));
    expect((await refused({ key }))[0]).toBe(429);
    expect((await commands.post({})).status).toBe(200);
    for (const { watched } of four) watched.leave();
    await until(async () => (await commands.post({ key })).status === 200);
  });
  it('and every refusal is in the log', async () => {
    await refused({ body: commandBody('true', { session: 7 }) });
    await until(async () => (await commands.lastEntry())?.['reason'] === 'command-session');
    expect(await commands.lastEntry()).toMatchObject({
      outcome: 'refused',
      status: 400,
      subject: 'caller',
      permission: 'execution:lancer',
      resource: 'command',
    });
    await refused({ key: keyOf('roleless') });
    await until(async () => (await commands.lastEntry())?.['reason'] === 'execution-role-missing');
  });
  // commands-14
  it('while the database cannot be read, or the approval not written', async () => {
    const marker = uniqueSleep();
    const whileLocked = async (tables: string, mode: string) => {
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const locked = commands.world.database.sql.begin(async (sql) => {
        await sql.unsafe(`lock table ${tables} in ${mode} mode`);
        held.resolve();
        await release.promise;
      });
      await held.promise;
      const answer = await refused({ body: commandBody(`sleep ${marker}`) });
      release.resolve();
      await locked;
      return answer;
    };
    expect(await whileLocked('subject_revocations', 'access exclusive')).toEqual([
      503,
      'Authorization decision could not be made, so the command was refused.',
    ]);
    expect(await whileLocked('authorization_decisions', 'exclusive')).toEqual([
      503,
      'Authorization decision could not be recorded, so the command was not run.',
    ]);
    expect(await whileLocked('agent_commands', 'exclusive')).toEqual([
      503,
      'Authorization decision could not be recorded, so the command was not run.',
    ]);
    expect(processesWith(marker)).toEqual([]);
    await until(async () => (await commands.post({})).status === 200);
  });
  it('on any other address or method below the segment', async () => {
    for (const path of [
      '/_agent-execution',
      '/_agent-execution/',
      `${COMMANDS}/`,
      `${COMMANDS}/x/y/interrupt`,
      '/_agent-execution/other',
    ])
      expect((await ask(commands.world.port, path, { key: commands.world.key })).status).toBe(404);
    expect((await ask(commands.world.port, COMMANDS, { method: 'GET', key: commands.world.key })).status).toBe(404);
  });
});

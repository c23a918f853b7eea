import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandEvent } from '@gateway/contract';
import { keyOf } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asking, ask, raw, watch } from '../testing/caller.ts';
import { TOKEN } from '../testing/inspector.ts';
import { startWorld, type World } from '../testing/world.ts';
import { gone, processesWith, running, uniqueSleep, until } from './testing/processes.ts';

const COMMANDS = '/_agent-execution/commands';
const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to run agent commands here.';
const NOBODY = '01890000-0000-7000-8000-000000000000';
const body = (script: string, more: object = {}) => ({
  session: 'one',
  interpreteur: 'sh',
  arguments: ['-c', script],
  variablesSupplementaires: {},
  ...more,
});

let world: World;
let workdir: string;
let bare: number;

beforeAll(async () => {
  workdir = mkdtempSync(join(tmpdir(), 'gateway-commands-'));
  world = await startWorld({ environment: { GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_AGENT_WORKDIR: workdir } });
  await world.declare.account('roleless');
  const without = await world.another({ GATEWAY_AGENT_LAUNCHER: '' });
  bare = Number(new URL(without.address).port);
});
afterAll(async () => {
  await world.stop();
  rmSync(workdir, { recursive: true, force: true });
});

const post = (asking: Asking, port = world.port) =>
  ask(port, COMMANDS, { key: world.key, body: body('true'), ...asking });
const interrupt = (id: string, key = world.key, port = world.port) =>
  ask(port, `${COMMANDS}/${id}/interrupt`, { key, body: '' });
const eventsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line): CommandEvent => JSON.parse(line));
/** Begins a command and returns its identifier. */
async function begin(script: string, more: object = {}, key = world.key, port = world.port) {
  const watched = watch(port, COMMANDS, { key, body: body(script, more) });
  await watched.shows('\n');
  const [first] = eventsOf(watched.text().split('\n')[0] ?? '');
  return { watched, identifier: first?.evenement === 'demarre' ? first.identifiant : '' };
}
/** What this process has open below a directory, by its current or former path. */
const heldBelow = (directory: string) =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.startsWith(`${directory}/`) ? [path] : [];
    } catch {
      return []; // it was the descriptor of this listing
    }
  });
const lastEntry = async () => (await world.entries()).at(-1);
const revokeSession = (session: string) =>
  world.database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`;

describe('a command', () => {
  // commands-4
  it('is answered by its events, one a line', async () => {
    const { status, headers, text } = await post({ body: body('echo one; echo two >&2; exit 3') });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(text.endsWith('\n')).toBe(true);
    const events = eventsOf(text);
    expect(events[0]).toMatchObject({ evenement: 'demarre', session: 'one' });
    expect(events.at(-1)).toMatchObject({ evenement: 'fin', code: 3, interrompu: false });
    const outputs = events.flatMap((one) =>
      one.evenement === 'sortie' ? [[one.flux, Buffer.from(one.donnees, 'base64').toString()]] : [],
    );
    expect(Object.fromEntries(outputs)).toEqual({ stdout: 'one\n', stderr: 'two\n' });
  });
  it('is in the log before it starts, and its end afterwards, without a word of it', async () => {
    const { text } = await post({
      body: body('echo canary-5150', { session: 'logged', arguments: ['-c', 'echo canary-5150'] }),
    });
    const [first] = eventsOf(text);
    const identifier = first?.evenement === 'demarre' ? first.identifiant : '';
    const [entry] = await world.database.sql`select * from authorization_decisions where id = ${identifier}`;
    expect(entry).toMatchObject({
      component: 'gateway',
      subject: 'caller',
      credential: 'key',
      permission: 'execution:lancer',
      resource: 'command:sh',
      session: 'logged',
      outcome: 'granted',
      reason: 'role',
      status: 200,
    });
    const rows = () =>
      world.database
        .sql`select * from agent_commands join agent_command_ends on command_id = id where id = ${identifier}`;
    await until(async () => (await rows()).length === 1);
    const [row] = await rows();
    expect(row).toMatchObject({ subject: 'caller', session: 'logged', interpreter: 'sh', code: 0, stdout_bytes: 12n });
    expect(
      JSON.stringify([entry, row], (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('canary');
  });
  it('is charged to the proven subject, whatever the body names', async () => {
    const { text } = await post({ body: { ...body('true'), subject: 'somebody-else' } });
    const [first] = eventsOf(text);
    const [row] = await world.database
      .sql`select subject from agent_commands where id = ${first?.evenement === 'demarre' ? first.identifiant : ''}`;
    expect(row).toEqual({ subject: 'caller' });
  });
  it('takes x-api-key too', async () => {
    const headers = { 'x-api-key': world.key };
    expect((await ask(world.port, COMMANDS, { headers, body: body('true') })).status).toBe(200);
  });
  it('passes on 10 MiB intact, while its caller reads slowly at first', async () => {
    const watched = watch(world.port, COMMANDS, { key: world.key, body: body('head -c 10485760 /dev/zero; echo end') });
    const head = await watched.head;
    head.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    head.resume();
    expect(await watched.done).toBe('complete');
    const bytes = Buffer.concat(
      eventsOf(watched.text()).flatMap((one) =>
        one.evenement === 'sortie' ? [Buffer.from(one.donnees, 'base64')] : [],
      ),
    );
    expect(bytes.length).toBe(10_485_764);
    expect(bytes.subarray(10_485_760).toString()).toBe('end\n');
  });
  it('is read only once its caller is authorized to run commands', async () => {
    const text = JSON.stringify(body('echo after-continue'));
    const request = (key: string) =>
      `POST ${COMMANDS} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`;
    expect(await raw(world.port, request(keyOf('roleless')), /\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(world.port, request(world.key), /100 Continue\r\n\r\n/)).toMatch(/^HTTP\/1\.1 100 /);
  });
});

describe('a command is refused', () => {
  const refused = async (asking: Asking, port?: number) => {
    const { status, json } = await post(asking, port);
    return [status, (json as { error?: string }).error];
  };
  it('without a proof, and with one from no issuer', async () => {
    const missing = [401, 'Missing credentials. Set apiKey in your gateway config.'];
    expect(await ask(world.port, COMMANDS, { body: '{' })).toMatchObject({ status: 401, json: { error: missing[1] } });
    expect(await refused({ key: `gwk_${'0'.repeat(48)}` })).toEqual([401, 'Unauthorized.']);
    expect(await refused({ key: 'nonsense' })).toEqual([401, 'Unauthorized.']);
    expect(await refused({ key: 'a.b.c' })).toEqual([401, 'Unauthorized.']);
  });
  it('without the right, before its body is read', async () => {
    expect(await refused({ key: keyOf('roleless'), body: '{' })).toEqual([403, NO_ROLE]);
  });
  it('of a revoked subject', async () => {
    const key = await world.account('gone');
    await world.database
      .sql`insert into subject_revocations (id, subject, reason, author) values (${randomUUID()}, 'gone', 'r', 'a')`;
    expect((await refused({ key }))[0]).toBe(403);
    expect((await refused({ key }, bare))[1]).toMatch(/^Your access to this instance has been revoked/);
    expect((await interrupt(NOBODY, key)).status).toBe(403);
  });
  // commands-3
  it('without a launcher, after everything about its caller', async () => {
    const [status, error] = await refused({ body: '{' }, bare);
    expect(status).toBe(501);
    expect(error).toMatch(
      /^This gateway runs no agent commands: no launcher is configured \(GATEWAY_AGENT_LAUNCHER\)\./,
    );
    expect(await refused({ key: keyOf('roleless') }, bare)).toEqual([403, NO_ROLE]);
    expect((await interrupt(NOBODY, world.key, bare)).status).toBe(501);
  });
  it.each([
    ['The request body must be a JSON object.', ''],
    ['The request body must be a JSON object.', '{'],
    ['The request body must be a JSON object.', '[]'],
    ['The request body must be a JSON object.', Buffer.from([0x22, 0xff, 0x22])],
    ['session must be a non-empty string.', { ...body('true'), session: '' }],
    ['interpreteur must be a non-empty string.', { ...body('true'), interpreteur: 7 }],
    ['arguments must be an array of strings.', { ...body('true'), arguments: undefined }],
    ['variablesSupplementaires must be an object.', { ...body('true'), variablesSupplementaires: [] }],
    ['variablesSupplementaires.LEVEL must be a string.', { ...body('true'), variablesSupplementaires: { LEVEL: 7 } }],
    // commands-2
  ])('with the sentence: %s', async (sentence, faulty) => {
    expect(await refused({ body: faulty })).toEqual([400, sentence]);
  });
  it('where its body is larger than any command', async () => {
    expect((await refused({ body: Buffer.alloc(5 * 2 ** 20, 32) }))[0]).toBe(413);
  });
  it('where one variable is longer than a sandbox can pass on', async () => {
    const [status, sentence] = await refused({
      body: { ...body('true'), variablesSupplementaires: { X: 'y'.repeat(70_000) } },
    });
    expect([status, sentence]).toEqual([
      413,
      expect.stringMatching(/^variablesSupplementaires\.X is longer than 65536 bytes\./),
    ]);
  });
  it('in a revoked session, as the relay refuses it', async () => {
    const session = randomUUID();
    await revokeSession(session);
    const answer = await post({ body: body('true', { session }) });
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
    await world.database.sql`insert into agent_session_lineage (subject, session, parent_session, author)
      values ('caller', ${below}, ${revoked}, 'test')`;
    await revokeSession(revoked);
    for (const parentSession of [revoked, below]) {
      for (const expect100 of [{}, { expect: '100-continue' }]) {
        const session = randomUUID();
        const answer = await post({ body: body('true', { session, parentSession }), headers: expect100 });
        expect(answer).toMatchObject({ status: 403, json: { code: 'agent-session-revoked' } });
        expect(await world.database.sql`select from agent_commands where session = ${session}`).toHaveLength(0);
        // Known from then on, also where it leaves its parent out (workstation-10).
        expect(await post({ body: body('true', { session }) })).toMatchObject({ status: 403 });
        const relayed = await ask(world.port, '/chat/x', { key: world.key, headers: { 'x-gateway-session': session } });
        expect(relayed).toMatchObject({ status: 403, json: { code: 'agent-session-revoked' } });
      }
    }
    expect((await post({ body: body('true', { session: randomUUID(), parentSession: randomUUID() }) })).status).toBe(
      200,
    );
  });
  // commands-12
  it('beyond four at once for a subject, and a slot is free again when one has ended', async () => {
    const key = await world.account('busy');
    const four = await Promise.all(Array.from({ length: 4 }, () => begin('sleep 60', {}, key)));
    expect((await refused({ key }))[0]).toBe(429);
    expect((await post({})).status).toBe(200);
    for (const { watched } of four) watched.leave();
    await until(async () => (await post({ key })).status === 200);
  });
  it('and every refusal is in the log', async () => {
    await refused({ body: body('true', { session: 7 }) });
    await until(async () => (await lastEntry())?.['reason'] === 'command-session');
    expect(await lastEntry()).toMatchObject({
      outcome: 'refused',
      status: 400,
      subject: 'caller',
      permission: 'execution:lancer',
      resource: 'command',
    });
    await refused({ key: keyOf('roleless') });
    await until(async () => (await lastEntry())?.['reason'] === 'execution-role-missing');
  });
  // commands-14
  it('while the database cannot be read, or the approval not written', async () => {
    const marker = uniqueSleep();
    const whileLocked = async (tables: string, mode: string) => {
      const held = Promise.withResolvers<void>();
      const release = Promise.withResolvers<void>();
      const locked = world.database.sql.begin(async (sql) => {
        await sql.unsafe(`lock table ${tables} in ${mode} mode`);
        held.resolve();
        await release.promise;
      });
      await held.promise;
      const answer = await refused({ body: body(`sleep ${marker}`) });
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
    await until(async () => (await post({})).status === 200);
  });
  it('on any other address or method below the segment', async () => {
    for (const path of [
      '/_agent-execution',
      '/_agent-execution/',
      `${COMMANDS}/`,
      `${COMMANDS}/x/y/interrupt`,
      '/_agent-execution/other',
    ])
      expect((await ask(world.port, path, { key: world.key })).status).toBe(404);
    expect((await ask(world.port, COMMANDS, { method: 'GET', key: world.key })).status).toBe(404);
  });
});

describe('a running command', () => {
  it('ends where it writes a secret, and no copy of the secret remains', async () => {
    const { text } = await post({ body: body(`echo before; sleep 0.1; echo '${TOKEN}'; sleep 60`) });
    const events = eventsOf(text);
    const [first] = events;
    const identifier = first?.evenement === 'demarre' ? first.identifiant : '';
    expect(events.slice(-2)).toMatchObject([
      { evenement: 'erreur', code: 'secret-detected', kinds: ['access-token'] },
      { evenement: 'fin', interrompu: true },
    ]);
    const row = () => world.database.sql`select * from agent_command_ends where command_id = ${identifier}`;
    await until(async () => (await row()).length === 1);
    expect((await row())[0]).toMatchObject({ cause: 'secret' });
    const reported = /^In stdout of command .*: secrets: block access-token \(github-token\) at byte 7/;
    expect(world.reports.filter((line) => reported.test(line))).toHaveLength(1);
    const detected = () => world.database.sql`select * from secret_detections where decision_id = ${identifier}`;
    await until(async () => (await detected()).length === 1);
    expect((await detected())[0]).toMatchObject({ place: 'output', rule: 'github-token', response: 'block' });
    for (const said of [text, ...world.reports]) expect(said).not.toContain(TOKEN.slice(4, 16));
  });
  it('is interrupted by its subject on any gateway', async () => {
    const other = Number(new URL((await world.another()).address).port);
    for (const port of [world.port, other]) {
      const { identifier, watched } = await begin('sleep 60');
      const answer = await interrupt(identifier, world.key, port);
      expect(answer).toMatchObject({ status: 200, json: { identifiant: identifier, interrompu: true } });
      expect(await watched.done).toBe('complete');
      expect(eventsOf(watched.text()).at(-1)).toMatchObject({ evenement: 'fin', interrompu: true });
    }
  });
  // commands-7
  it('is not accessible to others: the same 404 as for an unknown one', async () => {
    const key = await world.account('other');
    const { identifier, watched } = await begin('sleep 60');
    const answers = await Promise.all([identifier, NOBODY, 'nothing', '%E0%A4%A'].map((id) => interrupt(id, key)));
    watched.leave();
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe('{"error":"No such running command."}');
    }
    expect((await interrupt(NOBODY, keyOf('roleless'))).json).toEqual({ error: NO_ROLE });
    expect((await ask(world.port, `${COMMANDS}/${NOBODY}/interrupt`, { body: '' })).status).toBe(401);
  });
  it('is no longer there once it has ended', async () => {
    const { identifier, watched } = await begin('true');
    await watched.done;
    expect((await interrupt(identifier)).status).toBe(404);
  });
  it('ends when its caller leaves', async () => {
    const marker = uniqueSleep();
    const { identifier, watched } = await begin(`sleep ${marker}`);
    await running(`sleep\0${marker}`);
    watched.leave();
    await gone(marker);
    const ends = () => world.database.sql`select cause from agent_command_ends where command_id = ${identifier}`;
    await until(async () => (await ends()).length === 1);
    expect([...(await ends())]).toEqual([{ cause: 'disconnected' }]);
  });
  it('ends with its session, whose directory is removed, too', async () => {
    const marker = uniqueSleep();
    const session = randomUUID();
    // Pipes are made there, too; their temporary folder is removed immediately.
    const before = readdirSync(workdir);
    const added = () => readdirSync(workdir).filter((name) => !before.includes(name) && !name.startsWith('.pipes-'));
    const { watched } = await begin(`echo x > file; sleep ${marker}`, { session });
    await running(`sleep\0${marker}`);
    expect(added()).toHaveLength(2); // the directory, and the note whose it is
    await revokeSession(session);
    await gone(marker);
    expect(await watched.done).toBe('complete');
    expect(eventsOf(watched.text()).slice(-2)).toMatchObject([
      { evenement: 'erreur' },
      { evenement: 'fin', interrompu: true },
    ]);
    await expect.poll(added).toEqual([]);
  });
  it('does not keep a gateway from ending in order', async () => {
    const marker = uniqueSleep();
    const aside = mkdtempSync(join(tmpdir(), 'gateway-commands-'));
    const stopping = await world.another({ GATEWAY_AGENT_WORKDIR: aside });
    const { watched, identifier } = await begin(
      `sleep ${marker}`,
      {},
      world.key,
      Number(new URL(stopping.address).port),
    );
    await running(`sleep\0${marker}`);
    await stopping.stop();
    await gone(marker);
    await watched.done;
    expect(await world.database.sql`select from agent_command_ends where command_id = ${identifier}`).toHaveLength(1);
    // Only the session: no prepared pipe is left, open or half made.
    expect(readdirSync(aside).filter((name) => name.startsWith('.'))).toEqual([]);
    // The watch of the disk may be measuring the directory: it closes what it opened and starts no more.
    await expect.poll(() => heldBelow(aside)).toEqual([]);
    rmSync(aside, { recursive: true });
  });
});

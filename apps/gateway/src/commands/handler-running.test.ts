import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOf } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask } from '../testing/caller.ts';
import { TOKEN } from '../testing/inspector.ts';
import { COMMANDS, type CommandsWorld, commandBody, eventsOf, startCommandsWorld } from './testing/commands-world.ts';
import { gone, running, uniqueSleep, until } from './testing/processes.ts';

const NO_ROLE = 'Your identity is recognised, but no role you hold carries the right to run agent commands here.';
const NOBODY = '01890000-0000-7000-8000-000000000000';

let commands: CommandsWorld;
beforeAll(async () => {
  commands = await startCommandsWorld();
});
afterAll(() => commands.stop());

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

describe('a running command', () => {
  it('ends where it writes a secret, and no copy of the secret remains', async () => {
    const { text } = await commands.post({ body: commandBody(`echo before; sleep 0.1; echo '${TOKEN}'; sleep 60`) });
    const events = eventsOf(text);
    const [first] = events;
    const identifier = first?.evenement === 'demarre' ? first.identifiant : '';
    expect(events.slice(-2)).toMatchObject([
      { evenement: 'erreur', code: 'secret-detected', kinds: ['access-token'] },
      { evenement: 'fin', interrompu: true },
    ]);
    const row = () => commands.world.database.sql`select * from agent_command_ends where command_id = ${identifier}`;
    await until(async () => (await row()).length === 1);
    expect((await row())[0]).toMatchObject({ cause: 'secret' });
    const reported = /^In stdout of command .*: secrets: block access-token \(github-token\) at byte 7/;
    expect(commands.world.reports.filter((line) => reported.test(line))).toHaveLength(1);
    const detected = () =>
      commands.world.database.sql`select * from secret_detections where decision_id = ${identifier}`;
    await until(async () => (await detected()).length === 1);
    expect((await detected())[0]).toMatchObject({ place: 'output', rule: 'github-token', response: 'block' });
    for (const said of [text, ...commands.world.reports]) expect(said).not.toContain(TOKEN.slice(4, 16));
  });
  it('is interrupted by its subject on any gateway', async () => {
    const other = Number(new URL((await commands.world.another()).address).port);
    for (const port of [commands.world.port, other]) {
      const { identifier, watched } = await commands.begin('sleep 60');
      const answer = await commands.interrupt(identifier, commands.world.key, port);
      expect(answer).toMatchObject({ status: 200, json: { identifiant: identifier, interrompu: true } });
      expect(await watched.done).toBe('complete');
      expect(eventsOf(watched.text()).at(-1)).toMatchObject({ evenement: 'fin', interrompu: true });
    }
  });
  // commands-7
  it('is not accessible to others: the same 404 as for an unknown one', async () => {
    const key = await commands.world.account('other');
    const { identifier, watched } = await commands.begin('sleep 60');
    const answers = await Promise.all(
      [identifier, NOBODY, 'nothing', '%E0%A4%A'].map((id) => commands.interrupt(id, key)),
    );
    watched.leave();
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.text).toBe('{"error":"No such running command."}');
    }
    expect((await commands.interrupt(NOBODY, keyOf('roleless'))).json).toEqual({ error: NO_ROLE });
    expect((await ask(commands.world.port, `${COMMANDS}/${NOBODY}/interrupt`, { body: '' })).status).toBe(401);
  });
  it('is no longer there once it has ended', async () => {
    const { identifier, watched } = await commands.begin('true');
    await watched.done;
    expect((await commands.interrupt(identifier)).status).toBe(404);
  });
  it('ends when its caller leaves', async () => {
    const marker = uniqueSleep();
    const { identifier, watched } = await commands.begin(`sleep ${marker}`);
    await running(`sleep\0${marker}`);
    watched.leave();
    await gone(marker);
    const ends = () =>
      commands.world.database.sql`select cause from agent_command_ends where command_id = ${identifier}`;
    await until(async () => (await ends()).length === 1);
    expect([...(await ends())]).toEqual([{ cause: 'disconnected' }]);
  });
  it('ends with its session, whose directory is removed, too', async () => {
    const marker = uniqueSleep();
    const session = randomUUID();
    // Pipes are made there, too; their temporary folder is removed immediately.
    const before = readdirSync(commands.workdir);
    const added = () =>
      readdirSync(commands.workdir).filter((name) => !before.includes(name) && !name.startsWith('.pipes-'));
    const { watched } = await commands.begin(`echo x > file; sleep ${marker}`, { session });
    await running(`sleep\0${marker}`);
    expect(added()).toHaveLength(2); // the directory, and the note whose it is
    await commands.revokeSession(session);
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
    const stopping = await commands.world.another({ GATEWAY_AGENT_WORKDIR: aside });
    const { watched, identifier } = await commands.begin(
      `sleep ${marker}`,
      {},
      commands.world.key,
      Number(new URL(stopping.address).port),
    );
    await running(`sleep\0${marker}`);
    await stopping.stop();
    await gone(marker);
    await watched.done;
    expect(
      await commands.world.database.sql`select from agent_command_ends where command_id = ${identifier}`,
    ).toHaveLength(1);
    // Only the session: no prepared pipe is left, open or half made.
    expect(readdirSync(aside).filter((name) => name.startsWith('.'))).toEqual([]);
    // The watch of the disk may be measuring the directory: it closes what it opened and starts no more.
    await expect.poll(() => heldBelow(aside)).toEqual([]);
    rmSync(aside, { recursive: true });
  });
});

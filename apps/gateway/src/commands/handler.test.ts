import { keyOf } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, raw, watch } from '../testing/caller.ts';
import { COMMANDS, type CommandsWorld, commandBody, eventsOf, startCommandsWorld } from './testing/commands-world.ts';
import { until } from './testing/processes.ts';

let commands: CommandsWorld;
beforeAll(async () => {
  commands = await startCommandsWorld();
});
afterAll(() => commands.stop());

describe('a command', () => {
  // commands-4
  it('is answered by its events, one a line', async () => {
    const { status, headers, text } = await commands.post({ body: commandBody('echo one; echo two >&2; exit 3') });
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
    const { text } = await commands.post({
      body: commandBody('echo canary-5150', { session: 'logged', arguments: ['-c', 'echo canary-5150'] }),
    });
    const [first] = eventsOf(text);
    const identifier = first?.evenement === 'demarre' ? first.identifiant : '';
    const [entry] = await commands.world.database.sql`select * from authorization_decisions where id = ${identifier}`;
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
      commands.world.database
        .sql`select * from agent_commands join agent_command_ends on command_id = id where id = ${identifier}`;
    await until(async () => (await rows()).length === 1);
    const [row] = await rows();
    expect(row).toMatchObject({ subject: 'caller', session: 'logged', interpreter: 'sh', code: 0, stdout_bytes: 12n });
    expect(
      JSON.stringify([entry, row], (_, value) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('canary');
  });
  it('is charged to the proven subject, whatever the body names', async () => {
    const { text } = await commands.post({ body: { ...commandBody('true'), subject: 'somebody-else' } });
    const [first] = eventsOf(text);
    const [row] = await commands.world.database
      .sql`select subject from agent_commands where id = ${first?.evenement === 'demarre' ? first.identifiant : ''}`;
    expect(row).toEqual({ subject: 'caller' });
  });
  it('takes x-api-key too', async () => {
    const headers = { 'x-api-key': commands.world.key };
    expect((await ask(commands.world.port, COMMANDS, { headers, body: commandBody('true') })).status).toBe(200);
  });
  it('passes on 10 MiB intact, while its caller reads slowly at first', async () => {
    const watched = watch(commands.world.port, COMMANDS, {
      key: commands.world.key,
      body: commandBody('head -c 10485760 /dev/zero; echo end'),
    });
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
    const text = JSON.stringify(commandBody('echo after-continue'));
    const request = (key: string) =>
      `POST ${COMMANDS} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${key}\r\nExpect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`;
    expect(await raw(commands.world.port, request(keyOf('roleless')), /\r\n\r\n\{/)).toMatch(/^HTTP\/1\.1 403 /);
    expect(await raw(commands.world.port, request(commands.world.key), /100 Continue\r\n\r\n/)).toMatch(
      /^HTTP\/1\.1 100 /,
    );
  });
});

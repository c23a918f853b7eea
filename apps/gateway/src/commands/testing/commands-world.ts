import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandEvent } from '@gateway/contract';
import { type Asking, ask, watch } from '../../testing/caller.ts';
import { startWorld, type World } from '../../testing/world.ts';

export const COMMANDS = '/_agent-execution/commands';

/** A request for a command of `sh`. */
export const commandBody = (script: string, more: object = {}) => ({
  session: 'one',
  interpreteur: 'sh',
  arguments: ['-c', script],
  variablesSupplementaires: {},
  ...more,
});

export const eventsOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line): CommandEvent => JSON.parse(line));

/** A gateway that runs commands without a sandbox, and one without a launcher on the same database. */
export async function startCommandsWorld() {
  const workdir = mkdtempSync(join(tmpdir(), 'gateway-commands-'));
  const world: World = await startWorld({
    environment: { GATEWAY_AGENT_LAUNCHER: 'process', GATEWAY_AGENT_WORKDIR: workdir },
  });
  await world.declare.account('roleless');
  const without = await world.another({ GATEWAY_AGENT_LAUNCHER: '' });
  return {
    world,
    workdir,
    /** The port of the gateway without a launcher. */
    bare: Number(new URL(without.address).port),
    post: (asking: Asking, port = world.port) =>
      ask(port, COMMANDS, { key: world.key, body: commandBody('true'), ...asking }),
    interrupt: (id: string, key = world.key, port = world.port) =>
      ask(port, `${COMMANDS}/${id}/interrupt`, { key, body: '' }),
    /** Begins a command and returns its identifier. */
    async begin(script: string, more: object = {}, key = world.key, port = world.port) {
      const watched = watch(port, COMMANDS, { key, body: commandBody(script, more) });
      await watched.shows('\n');
      const [first] = eventsOf(watched.text().split('\n')[0] ?? '');
      return { watched, identifier: first?.evenement === 'demarre' ? first.identifiant : '' };
    },
    lastEntry: async () => (await world.entries()).at(-1),
    revokeSession: (session: string) =>
      world.database.sql`insert into agent_session_revocations (session, reason, author) values (${session}, 'r', 'a')`,
    async stop(): Promise<void> {
      await world.stop();
      rmSync(workdir, { recursive: true, force: true });
    },
  };
}

export type CommandsWorld = Awaited<ReturnType<typeof startCommandsWorld>>;

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { refusal, sentenceOf } from '@gateway/contract';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, watch } from '../testing/caller.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';
import { gone, running, uniqueSleep, until } from './testing/processes.ts';

describe('a command whose gateway was killed', () => {
  let database: TestDatabase;
  let folder: string;
  let other: GatewayProcess;
  const start = (name: string) =>
    startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: mkdtempSync(join(folder, 'state-')),
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: mkdtempSync(join(folder, name)),
    });
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'gateway-killed-'));
    const declare = declaring(database.sql);
    await declare.account('ada', {});
    await declare.grant('ada', 'utilisateur-standard');
    other = await start('other-');
  });
  afterAll(async () => {
    other.signal('SIGTERM');
    await other.ended;
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function begin(gateway: GatewayProcess, marker: string) {
    const command = watch(gateway.port, '/_agent-execution/commands', {
      key: keyOf('ada'),
      body: { session: 's', interpreteur: 'sleep', arguments: [marker], variablesSupplementaires: {} },
    });
    await command.shows('demarre');
    await running(`sleep\0${marker}`);
    return { ...command, identifier: /"identifiant":"([^"]+)"/.exec(command.text())?.[1] ?? '' };
  }
  const interrupt = (identifier: string) =>
    ask(other.port, `/_agent-execution/commands/${identifier}/interrupt`, { key: keyOf('ada'), method: 'POST' });
  const UNKNOWN = { status: 404, text: JSON.stringify({ error: sentenceOf(refusal('command-unknown')) }) };

  it('is unknown once that one was killed; what it left is ended by the next one on its host', async () => {
    const marker = uniqueSleep();
    const killed = await start('killed-');
    const { identifier, done } = await begin(killed, marker);
    killed.signal('SIGKILL');
    await done;
    // PostgreSQL may notice the end a moment after the caller.
    await expect.poll(() => interrupt(identifier)).toMatchObject(UNKNOWN);
    const next = await start('next-');
    await gone(marker);
    next.signal('SIGTERM');
    await next.ended;
  });
  it('is unknown while that one is frozen, and ended when it resumes', async () => {
    const marker = uniqueSleep();
    const frozen = await start('frozen-');
    const command = await begin(frozen, marker);
    frozen.signal('SIGSTOP');
    // Its last heartbeat is recent, so it counts as running; the request is recorded for it in any case.
    await until(async () => (await interrupt(command.identifier)).status === 404);
    frozen.signal('SIGCONT');
    expect(await command.done).toBe('complete');
    expect(command.text()).toContain('"interrompu":true');
    await gone(marker);
    frozen.signal('SIGTERM');
    await frozen.ended;
  });
});

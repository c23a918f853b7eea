import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, declaring, keyOf, type TestDatabase } from '@gateway/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, watch } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { startProcess } from '../testing/process.ts';
import { gone, running, uniqueSleep } from './testing/processes.ts';

describe('a gateway that is ended by SIGTERM while commands run', () => {
  let database: TestDatabase;
  let folder: string;
  beforeAll(async () => {
    database = await createTestDatabase();
    folder = mkdtempSync(join(tmpdir(), 'gateway-drain-'));
    const declare = declaring(database.sql);
    for (const name of ['one', 'two']) {
      await declare.account(name, {});
      await declare.grant(name, 'utilisateur-standard');
    }
  });
  afterAll(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('waits for commands that end in time, ends the others with their processes, informs every caller, and records every end', async () => {
    const gateway = await startProcess({
      DATABASE_URL: database.gatewayUrl,
      GATEWAY_STATE_DIR: folder,
      GATEWAY_AGENT_LAUNCHER: 'process',
      GATEWAY_AGENT_WORKDIR: folder,
      GATEWAY_DRAIN_SECONDS: '10', // room for the command that ends in time, on a busy machine too
    });
    const begin = (key: string, script: string) =>
      watch(gateway.port, '/_agent-execution/commands', {
        key,
        body: {
          session: 'drain',
          interpreteur: 'sh',
          arguments: ['-c', script],
          variablesSupplementaires: {},
        },
      });
    const marker = uniqueSleep();
    const go = join(folder, 'go');
    const short = begin(keyOf('one'), `until test -e '${go}'; do sleep 0.05; done; echo ended`);
    const long = ['one', 'one', 'two', 'two'].map((name) => begin(keyOf(name), `sleep ${marker} & sleep ${marker}`));
    const polite = begin(keyOf('two'), "trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done");
    await Promise.all([short, ...long, polite].map((command) => command.shows('demarre')));
    await running(`sleep\0${marker}`);
    gateway.signal('SIGTERM');
    // No more requests are accepted now, so the drain has begun.
    await eventually(() => expect(ask(gateway.port, '/')).rejects.toThrow(/ECONNREFUSED/));
    writeFileSync(go, '');
    expect(await short.done).toBe('complete');
    expect(short.text()).toContain('"evenement":"fin","code":0');
    for (const command of [...long, polite]) {
      expect(await command.done).toBe('complete');
      const [reported, end] = command.text().trimEnd().split('\n').slice(-2);
      expect(reported).toContain('This gateway is being stopped.');
      expect(end).toMatch(/"evenement":"fin",.*"interrompu":true/);
    }
    expect(polite.text()).toContain(Buffer.from('bye\n').toString('base64'));
    expect(polite.text()).toContain('"evenement":"fin","code":3');
    expect(await gateway.ended).toBe(0);
    expect(gateway.said()).not.toContain('were cut');
    await gone(marker);
    const ends = await database.sql<{ cause: string | null }[]>`
      select cause from agent_commands left join agent_command_ends on command_id = id order by cause nulls first`;
    expect(ends.map(({ cause }) => cause)).toEqual([null, ...Array.from({ length: 5 }, () => 'shutdown')]);
  });
});

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@gateway/database/embedded';
import { createTestDatabase, keyOf, type TestDatabase, verdictOn } from '@gateway/database/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ask, HELLO, watch } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

describe.runIf(process.platform === 'linux')('gateways that share a port', () => {
  let engine: Engine;
  let database: TestDatabase;
  let folder: string;
  const started: GatewayProcess[] = [];
  /** Ends the streams that the engine keeps open. */
  let finish = (): void => {};
  const key = keyOf('caller');

  beforeAll(async () => {
    [engine, database] = await Promise.all([startEngine(), createTestDatabase()]);
    folder = mkdtempSync(join(tmpdir(), 'gateway-shared-port-'));
    await declareChat(database.sql, engine);
    const ends: (() => void)[] = [];
    finish = () => ends.splice(0).forEach((end) => end());
    engine.on('/held', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"One"}}]}\n\n');
      ends.push(() => response.end('data: [DONE]\n\n'));
    });
  });
  afterEach(async () => {
    for (const one of started.splice(0)) {
      one.signal('SIGKILL');
      await one.ended;
    }
  });
  afterAll(async () => {
    await engine.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = (port: number, share = 'true') => ({
    DATABASE_URL: database.gatewayUrl,
    GATEWAY_STATE_DIR: folder,
    GATEWAY_DRAIN_SECONDS: '60',
    GATEWAY_SHARE_PORT: share,
    PORT: String(port),
  });
  async function start(port: number): Promise<GatewayProcess> {
    const gateway = await startProcess(environment(port));
    started.push(gateway);
    return gateway;
  }
  const call = async (port: number): Promise<number> => (await ask(port, '/chat/plain', { key })).status;

  it('serve it together, and one that ends cuts no call: the others continue the chain', async () => {
    const port = await freePort();
    const first = await start(port);
    const held = watch(port, '/chat/held', { key, body: { ...HELLO, stream: true } });
    await held.shows('One');
    const second = await start(port);
    first.signal('SIGTERM');
    // The first accepts no more once a new connection is always served: each is the second's.
    for (let served = 0; served < 20; ) served = (await call(port).catch(() => 0)) === 200 ? served + 1 : 0;
    finish();
    expect(await held.done).toBe('complete');
    expect(await first.ended).toBe(0);
    const third = await start(port);
    second.signal('SIGKILL');
    await second.ended;
    expect(await call(port)).toBe(200);
    third.signal('SIGTERM');
    expect(await third.ended).toBe(0);
    const [row] = await database.sql`select
      (select count(*)::int from authorization_decisions where outcome = 'granted') as granted,
      (select count(*)::int from signing_keys) as keys`;
    expect(row?.['granted']).toBeGreaterThanOrEqual(22);
    expect(row?.['keys'], 'one key file for all').toBe(1);
    expect(await verdictOn(database.sql, 'authorization_decisions')).toMatchObject({ ok: true });
  });

  it('refuse one that does not share it', async () => {
    const port = await freePort();
    await start(port);
    await expect(startProcess(environment(port, 'false'))).rejects.toThrow(
      `PORT: port ${port} of 127.0.0.1 cannot be opened (EADDRINUSE): another program listens there.`,
    );
  });
});

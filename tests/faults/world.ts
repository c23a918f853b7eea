import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../support/random.ts';
import { type Callers, startCallers } from './callers.ts';
import { type Database, declareChat, keyOf, startDatabase } from './database.ts';
import { type FaultyEngine, startFaultyEngine } from './engine.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** Everything that a fault can act on. */
export interface World {
  readonly random: Random;
  readonly callers: Callers;
  readonly engine: FaultyEngine;
  readonly gateways: Gateways;
  readonly database: Database;
  /** Null where none could be mounted. */
  readonly disk: SmallDisk | null;
  /** The network between gateways and database, and between gateways and engine. */
  readonly toDatabase: NetworkProxy;
  readonly toEngine: NetworkProxy;
  /** Waits until each gateway serves a call again. Fails after two minutes. */
  readonly recovered: () => Promise<void>;
  /** Waits until callers made so many more calls. */
  readonly moreCalls: (count: number) => Promise<void>;
  close(): Promise<void>;
}

const DISK_MEGABYTES = 4096;
const RECOVERY_MS = 120_000;
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function createWorld(random: Random, callerCount: number, gatewayCount: number): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-faults-'));
  const disk = mountSmallDisk(DISK_MEGABYTES);
  const { TMPDIR } = process.env;
  if (disk !== null) process.env['TMPDIR'] = disk.directory;
  const database = await startDatabase();
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;

  const engine = await startFaultyEngine((id) =>
    database
      .asOwner(
        (sql) => sql`select from authorization_decisions where request_id = ${id} and outcome = 'granted' limit 1`,
      )
      .then(
        (rows) => rows.length > 0,
        () => null,
      ),
  );
  const toEngine = await startNetworkProxy(engine.url);
  const toDatabase = await startNetworkProxy(database.gatewayUrl);
  await database.asOwner((sql) => declareChat(sql, toEngine.through(engine.url)));
  const gateways = await startGateways(gatewayCount, folder, toDatabase.through(database.gatewayUrl));
  const callers = startCallers(callerCount, keyOf('caller'), (call) => gateways.port(call), random);

  async function until(what: string, isReached: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + RECOVERY_MS;
    while (!(await isReached())) {
      if (performance.now() > end) throw new Error(`${what} within ${RECOVERY_MS / 1000} s.`);
      await pause(20);
    }
  }
  return {
    random,
    callers,
    engine,
    gateways,
    database,
    disk,
    toDatabase,
    toEngine,
    async recovered() {
      for (let served = 0; served < gateways.count; ) {
        await until('The gateways did not serve again', async () => (await callers.call('plain')) === 200);
        served += 1;
      }
    },
    moreCalls(count) {
      const goal = callers.observed.requests + count;
      return until('Callers made no further calls', () => callers.observed.requests >= goal);
    },
    async close() {
      await callers.stop();
      await gateways.stop();
      await toDatabase.close();
      await toEngine.close();
      await engine.close();
      await database.close();
      disk?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

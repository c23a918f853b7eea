import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Random } from '../support/random.ts';
import { type Callers, startCallers } from './callers.ts';
import { type Database, declareChat, keyOf, SIGNED_IN, startDatabase } from './database.ts';
import { type FaultyEngine, startFaultyEngine } from './engine.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { type IdentityProvider, startIdentityProvider } from './identity.ts';
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

/** Everything that a fault can act on. */
export interface World {
  readonly random: Random;
  readonly callers: Callers;
  readonly engine: FaultyEngine;
  readonly gateways: Gateways;
  readonly database: Database;
  readonly identity: IdentityProvider;
  /** Null where none could be mounted. */
  readonly disk: SmallDisk | null;
  /** The network between gateways and database, and between gateways and engine. */
  readonly toDatabase: NetworkProxy;
  readonly toEngine: NetworkProxy;
  /** Waits until each gateway serves calls with a key and with a token again. Fails after two minutes. */
  readonly recovered: () => Promise<void>;
  /** Waits until callers made this many more calls. */
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
  const identity = await startIdentityProvider(SIGNED_IN, folder);
  const { environment } = identity;
  const gateways = await startGateways(gatewayCount, folder, toDatabase.through(database.gatewayUrl), { environment });
  // Each gateway in turn, first all with the key, then all with the token.
  const proof = (call: number): string =>
    call % (2 * gatewayCount) < gatewayCount ? keyOf('caller') : identity.token();
  const callers = startCallers(callerCount, proof, (call) => gateways.port(call), random);

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
    identity,
    disk,
    toDatabase,
    toEngine,
    async recovered() {
      for (const proof of [keyOf('caller'), () => identity.token()]) {
        for (let number = 0; number < gateways.count; number += 1) {
          const isServed = async () =>
            (await callers.call('plain', typeof proof === 'string' ? proof : proof())) === 200;
          await until('The gateways did not serve again', isServed);
        }
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
      await identity.stop();
      await database.close();
      disk?.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

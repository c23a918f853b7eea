import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, parseDatabaseAddress, type Sql, withPool } from '@gateway/database';
import { type Callers, startCallers, USUAL } from '../faults/callers.ts';
import { declareChat, keyOf } from '../faults/database.ts';
import { type FaultyEngine, startFaultyEngine } from '../faults/engine.ts';
import { type Gateways, startGateways } from '../faults/gateways.ts';
import type { Random } from '../support/random.ts';
import { kill, runBeside } from './network.ts';
import { type Cluster, ended, PASSWORD, removeFolder, startCluster } from './patroni.ts';

const DIST = fileURLToPath(new URL('../../dist/serverless', import.meta.url));
const ADMINISTRATOR = { ADMIN_USER: 'administrator', ADMIN_PASS: 'Nbf7-k2Qp-99xw-Lm31' };
const GATEWAYS = 2;

/** Everything of one run. */
export interface World {
  readonly random: Random;
  readonly cluster: Cluster;
  readonly callers: Callers;
  readonly engine: FaultyEngine;
  readonly gateways: Gateways;
  readonly folder: string;
  readonly synchronous: boolean;
  /** Lines of the gateways that say that the log went back. */
  readonly reported: readonly string[];
  /** Names of the plans that the console said it made. */
  readonly plans: readonly string[];
  /** Ends of the log that somebody read, by their sequence. */
  readonly seen: ReadonlyMap<bigint, string>;
  readonly asOwner: <Result>(work: (sql: Sql) => Promise<Result>) => Promise<Result>;
  /** Waits until the cluster is whole and each gateway serves. @returns standbys that an operator had to make again */
  recovered(): Promise<readonly string[]>;
  /** Keeps a checkpoint of now and the keys, as an auditor does; it replaces the one before. */
  keepCheckpoint(): Promise<void>;
  /** What `journal verify` says, by itself and with the kept checkpoint; null without one. */
  verify(): Promise<{ readonly isIntact: boolean; readonly says: string; readonly withCheckpoint: string | null }>;
  close(): Promise<void>;
}

export const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

async function prepare(cluster: Cluster): Promise<World['asOwner']> {
  await cluster.whole();
  await withPool(parseDatabaseAddress(cluster.url('postgres', 'postgres')), { max: 1 }, async (sql) => {
    await sql`create database gateway`;
  });
  await migrate(cluster.url('postgres'));
  const asOwner: World['asOwner'] = (work) =>
    withPool(parseDatabaseAddress(cluster.url('postgres')), { max: 2, connectSeconds: 2 }, work);
  await asOwner(async (sql) => {
    for (const role of ['gateway_service', 'console_service'])
      await sql.unsafe(`alter role ${role} password '${PASSWORD}'`);
  });
  return asOwner;
}

/** What a gateway says that finds PgBouncer between itself and HAProxy: it must not start. */
async function assertNoPooler(cluster: Cluster, folder: string): Promise<void> {
  const { status, stderr } = spawnSync(process.execPath, [join(DIST, 'gateway.js'), '--check-configuration'], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: await cluster.pooledUrl('gateway_service'),
      GATEWAY_STATE_DIR: join(folder, 'pooled'),
      ADMIN_API_KEY: `gwk_${'0123456789ab'.repeat(4)}`,
    },
  });
  if (status !== 1 || !stderr.includes('a pooler (PgBouncer)'))
    throw new Error(`Through PgBouncer: ${status} ${stderr}`);
}

async function startConsole(cluster: Cluster, folder: string): Promise<{ child: ChildProcess; origin: string }> {
  const child = spawn(process.execPath, [join(DIST, 'console.js')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: cluster.url('console_service'),
      GATEWAY_SIGNING_KEY_FILE: join(folder, 'console.pem'),
      HOST: '127.0.0.1',
      PORT: '0',
      ...ADMINISTRATOR,
    },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let text = '';
  for await (const part of child.stdout) {
    text += String(part);
    const origin = /http:\/\/[\d.]+:\d+/.exec(text)?.[0];
    if (origin === undefined) continue;
    return { child, origin };
  }
  throw new Error(`The console did not start: ${text}`);
}

/** Reads a page of the console and makes a plan, again and again. */
function administer(origin: string, plans: string[]): () => Promise<void> {
  const authorization = `Basic ${Buffer.from(Object.values(ADMINISTRATOR).join(':')).toString('base64')}`;
  const headers = { authorization, origin, 'content-type': 'application/json' };
  const over = new AbortController();
  async function round(number: number): Promise<void> {
    const signal = AbortSignal.timeout(10_000);
    await (await fetch(`${origin}/api/overview`, { headers, signal })).arrayBuffer();
    const slug = `plan-${number}`;
    const body = JSON.stringify({ slug, name: slug, monthlyCap: 1 });
    const made = await fetch(`${origin}/api/plans`, { method: 'POST', headers, body, signal });
    await made.arrayBuffer();
    if (made.status === 201) plans.push(slug);
  }
  const running = (async () => {
    for (let number = 1; !over.signal.aborted; number += 1) {
      await round(number).catch(() => {}); // it answers late, or not, while the database is away
      await pause(300);
    }
  })();
  return async () => {
    over.abort();
    await running;
  };
}

export async function createWorld(random: Random, callerCount: number, synchronous: boolean): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-cluster-'));
  chmodSync(folder, 0o755);
  const ending: (() => unknown)[] = [() => removeFolder(folder)];
  const close = async (): Promise<void> => {
    for (const end of ending.splice(0).reverse()) await end();
  };
  try {
    return await build();
  } catch (error) {
    await close();
    throw error;
  }

  async function build(): Promise<World> {
    const cluster = await startCluster(folder, synchronous);
    // Also where this program ends in another way than by `close`.
    const children: number[] = [];
    const kept = (): void => {
      for (const pid of children) kill(pid, 'SIGKILL');
      cluster.close();
      removeFolder(folder);
    };
    process.once('exit', kept);
    ending.push(() => {
      process.off('exit', kept);
      cluster.close();
    });
    const asOwner = await prepare(cluster);
    await assertNoPooler(cluster, folder);
    const engine = await startFaultyEngine((id) =>
      asOwner((sql) => sql`select from authorization_decisions where request_id = ${id} and outcome = 'granted'`).then(
        (rows) => rows.length > 0,
        () => null,
      ),
    );
    ending.push(() => engine.close());
    await asOwner((sql) => declareChat(sql, engine.url));
    const reported: string[] = [];
    const said = (text: string): void => {
      reported.push(...text.split('\n').filter((line) => line.includes('entries-missing')));
    };
    const gateways = await startGateways(GATEWAYS, folder, cluster.url('gateway_service'), { said });
    ending.push(() => gateways.stop());
    for (let number = 0; number < GATEWAYS; number += 1) children.push(gateways.pid(number));
    const { child, origin } = await startConsole(cluster, folder);
    ending.push(() => ended(child));
    if (child.pid !== undefined) children.push(child.pid);
    const plans: string[] = [];
    ending.push(administer(origin, plans));
    /** As the owner of the database. */
    const gatewayctl = (...words: readonly string[]): ReturnType<typeof runBeside> =>
      runBeside(process.execPath, [join(DIST, 'gatewayctl.js'), ...words], {
        cwd: folder,
        env: { PATH: process.env['PATH'], HOME: folder, DATABASE_URL: cluster.url('postgres') },
      });
    const seen = new Map<bigint, string>();
    const looking = setInterval(() => {
      asOwner(
        (sql) => sql<{ sequence: bigint; digest: string }[]>`
        select sequence, encode(digest, 'hex') as digest from authorization_decisions order by sequence desc limit 1`,
      ).then(
        ([end]) => end && seen.set(end.sequence, end.digest),
        () => {}, // away
      );
    }, 250);
    ending.push(() => clearInterval(looking));
    const callers = startCallers(
      callerCount,
      () => keyOf('caller'),
      (call) => gateways.port(call),
      random,
      USUAL,
    );
    ending.push(() => callers.stop());
    return {
      random,
      cluster,
      callers,
      engine,
      gateways,
      folder,
      synchronous,
      reported,
      plans,
      seen,
      asOwner,
      async recovered() {
        const made = await cluster.whole();
        for (let served = 0, tries = 0; served < 2 * GATEWAYS; tries += 1) {
          if (tries > 200) throw new Error('The gateways did not serve again.');
          served = (await callers.call('plain')) === 200 ? served + 1 : 0;
        }
        return made;
      },
      async keepCheckpoint() {
        await gatewayctl('journal', 'checkpoint', '--output', 'kept.note');
        const { out } = await gatewayctl('journal', 'keys');
        writeFileSync(join(folder, 'kept.pem'), out);
      },
      async verify() {
        const { code, out } = await gatewayctl('journal', 'verify');
        const kept = ['--public-key', 'kept.pem', '--since', 'kept.note'];
        const isKept = existsSync(join(folder, 'kept.note'));
        return {
          isIntact: code === 0,
          says: out.trim(),
          withCheckpoint: isKept ? (await gatewayctl('journal', 'verify', ...kept)).out.trim() : null,
        };
      },
      close,
    };
  }
}

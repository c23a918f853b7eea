import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type FaultProxy,
  keyOf,
  type Standby,
  startFaultProxy,
  startStandby,
  startTestServer,
  type TestServer,
  verdictOn,
} from '@gateway/database/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ask } from '../testing/caller.ts';
import { declareChat } from '../testing/declare-chat.ts';
import { type Engine, startEngine } from '../testing/engine.ts';
import { eventually } from '../testing/eventually.ts';
import { type GatewayProcess, startProcess } from '../testing/process.ts';

// Two servers of PostgreSQL and two gateways under load, through a death and a promotion.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let engine: Engine;
let primary: TestServer;
let standby: Standby;
let address: FaultProxy;
let gateways: GatewayProcess[];
let folder: string;
const key = keyOf('caller');

beforeAll(async () => {
  [engine, primary] = await Promise.all([startEngine(), startTestServer()]);
  folder = mkdtempSync(join(tmpdir(), 'gateway-failover-'));
  await primary.asOwner((sql) => declareChat(sql, engine));
  standby = await startStandby(primary);
  address = await startFaultProxy(primary.gatewayUrl);
  gateways = await Promise.all(
    ['one', 'two'].map((name) =>
      startProcess({
        DATABASE_URL: address.through(primary.gatewayUrl),
        GATEWAY_STATE_DIR: join(folder, name),
      }),
    ),
  );
});
afterAll(async () => {
  for (const gateway of gateways) gateway.signal('SIGTERM');
  expect(await Promise.all(gateways.map(({ ended }) => ended))).toEqual([0, 0]);
  await address.close();
  await engine.stop();
  await standby.close();
  await primary.close();
  rmSync(folder, { recursive: true, force: true });
});

it('the primary dies under load: 503 while its standby only reads, served once it is promoted, nothing recorded is lost', async () => {
  const [served, refused, broken] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const state = { stop: false };
  const caller = async (name: number): Promise<void> => {
    const { port } = gateways[name % 2]!;
    for (let call = 0; !state.stop; call += 1) {
      const id = `${name}-${call}`;
      const { status } = await ask(port, '/chat/x', { key, headers: { 'x-request-id': id } }).catch(() => ({
        status: 0,
      }));
      (status === 200 ? served : status === 503 ? refused : broken).add(id);
    }
  };
  const callers = Array.from({ length: 8 }, (_, name) => caller(name));
  const seen = (set: ReadonlySet<string>, more: number): Promise<void> => {
    const until = set.size + more;
    return eventually(() => expect(set.size).toBeGreaterThan(until));
  };
  await seen(served, 200);
  await primary.kill();
  await seen(refused, 20);
  address.leadTo(standby.gatewayUrl);
  await seen(refused, 20);
  const whileReadOnly = served.size;
  await seen(refused, 20);
  expect(served.size).toBe(whileReadOnly);
  await standby.promote();
  await seen(served, 200);
  state.stop = true;
  await Promise.all(callers);

  expect([...broken]).toEqual([]);
  await standby.asOwner(async (sql) => {
    const column = (rows: readonly Record<string, unknown>[]): Set<unknown> =>
      new Set(rows.map((row) => row['request_id']));
    const granted = column(await sql`select request_id from authorization_decisions where outcome = 'granted'`);
    const received = engine.received.map(({ headers }) => headers['x-request-id']);
    expect(received.filter((id) => !granted.has(id))).toEqual([]);
    await eventually(async () => {
      const metered = column(
        await sql`select d.request_id from request_logs l join authorization_decisions d on d.id = l.id`,
      );
      expect([...served].filter((id) => !metered.has(id))).toEqual([]);
    });
    const verdict = await verdictOn(sql, 'authorization_decisions');
    expect(verdict).toMatchObject({ ok: true });
    const [log] = await sql`select count(*)::int as entries, max(sequence)::int as last from authorization_decisions`;
    expect(log?.['entries']).toBe(log?.['last']);
  });
});

import { DECISIONS, parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog } from '@gateway/database/audit-log/decision-log';
import {
  aDecision,
  declaring,
  digestOfKey,
  keyOf,
  startTestServer,
  type TestServer,
  verdictOn,
} from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUsageLog, usageLine } from '../usage/gateway.ts';
import { aUsageRecord } from '../usage/testing/usage-record.ts';
import { createRelayFactsReader } from './reader.ts';

/** Faults of the whole server (limits-11), on a server of this file's own. */
let server: TestServer;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  server = await startTestServer();
  await server.asOwner(async (sql) => {
    const declare = declaring(sql);
    await declare.endpoint('chat', await declare.model(await declare.provider('engine'), 'small'));
    await declare.account('caller');
  });
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
afterAll(() => server.close());

const UNAVAILABLE = { name: 'DatabaseUnavailable' };
const within = (milliseconds: number): number => performance.now() + milliseconds;
const query = {
  identity: { kind: 'key', digest: digestOfKey(keyOf('caller')).toString('hex') },
  endpoint: 'chat',
  session: null,
} as const;
const address = () => parseDatabaseAddress(server.gatewayUrl);
function openAll() {
  const facts = createRelayFactsReader({ address: address(), billing: true, organization: null, budgetMs: 5000 });
  const log = createDecisionLog({ address: address(), signer: createSigner(generateSigningKey()), budgetMs: 5000 });
  closing.push(
    () => facts.close(),
    () => log.close(),
  );
  return { facts, log };
}
function openUsage(proveEveryMs: number, budgetMs = 5000) {
  const usage = createUsageLog({ address: address(), budgetMs, proveEveryMs });
  closing.push(() => usage.close(1000));
  return usage;
}
const expectIntact = async (): Promise<void> => {
  expect(await server.asOwner((sql) => verdictOn(sql, DECISIONS))).toMatchObject({ ok: true });
};
const written = (ids: readonly string[], table: string): Promise<number> =>
  server.asOwner(async (sql) => (await sql`select from ${sql(table)} where id in ${sql([...ids])}`).length);

describe('a server that was killed', () => {
  it('refuses at the deadline while it is unavailable, and serves again when it returns', async () => {
    const { facts, log } = openAll();
    await facts.read(query);
    await log.append(aDecision());
    await server.kill();
    await expect(facts.read(query, within(300))).rejects.toMatchObject(UNAVAILABLE);
    await expect(log.append(aDecision(), within(300))).rejects.toMatchObject(UNAVAILABLE);
    const refusal = aDecision({ outcome: 'refused', reason: 'undecided', status: 503 });
    expect(log.appendLater(refusal)).toBe(true);
    await expect(facts.activeEndpointNames(within(300))).rejects.toMatchObject(UNAVAILABLE);
    await server.restart();
    expect((await facts.read(query)).account?.username).toBe('caller');
    expect(await facts.activeEndpointNames()).toEqual(['chat']);
    await log.append(aDecision());
    expect(await log.drain(10_000)).toBe(0);
    expect(await written([refusal.id], 'authorization_decisions')).toBe(1);
    await expectIntact();
  });

  it('refuses nothing that has time until it is back', async () => {
    const { facts, log } = openAll();
    const usage = openUsage(50);
    await facts.read(query);
    await log.append(aDecision());
    const record = aUsageRecord();
    await usage.insert([usageLine(record)]);
    const decisions = Array.from({ length: 20 }, () => aDecision());
    const records = Array.from({ length: 20 }, () => aUsageRecord());
    const asked = Promise.all([
      ...decisions.map((decision) => log.append(decision, within(60_000))),
      ...records.map((one) => usage.insert([usageLine(one)], within(60_000))),
      facts.read(query, within(60_000)),
    ]);
    await server.kill();
    const later = Promise.all([log.append(aDecision(), within(60_000)), facts.read(query, within(60_000))]);
    await server.restart();
    await Promise.all([asked, later]);
    const idsOf = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);
    expect(await written(idsOf(decisions), 'authorization_decisions')).toBe(20);
    await expect.poll(() => written(idsOf(records), 'request_logs')).toBe(20);
    await expectIntact();
  });

  it('keeps every decision that was called durable', async () => {
    const { log } = openAll();
    const durable: string[] = [];
    const stop = { now: false };
    const callers = Array.from({ length: 8 }, async () => {
      while (!stop.now) {
        const decision = aDecision();
        const done = await log.append(decision, within(500)).catch(() => null);
        if (done) durable.push(decision.id);
        else stop.now = true;
        if (durable.length === 200) await server.kill();
      }
    });
    await Promise.all(callers);
    await server.restart();
    expect(durable.length).toBeGreaterThanOrEqual(200);
    expect(await written(durable, 'authorization_decisions')).toBe(durable.length);
    await log.append(aDecision());
    await expectIntact();
  });

  it('gets the usage records again that it lost before they were flushed', async () => {
    const usage = openUsage(1_000_000); // nothing proves them by itself
    const records = Array.from({ length: 50 }, () => aUsageRecord());
    const ids = records.map(({ id }) => id);
    await server.freezeFlushing();
    for (const record of records) await usage.insert([usageLine(record)]);
    expect(await written(ids, 'request_logs')).toBe(50);
    await server.kill();
    await server.restart();
    expect(await written(ids, 'request_logs'), 'lost in the crash, or this test shows nothing').toBeLessThan(50);
    await usage.insert([usageLine(aUsageRecord())]); // learns that the connection was lost
    expect(await usage.close(5000)).toEqual([]);
    expect(await written(ids, 'request_logs')).toBe(50);
  });

  it('loses no usage record that was confirmed on disk', async () => {
    const usage = openUsage(1_000_000);
    const records = Array.from({ length: 20 }, () => aUsageRecord());
    await Promise.all(records.map((record) => usage.insert([usageLine(record)])));
    expect(await usage.close(5000)).toEqual([]);
    await server.kill();
    await server.restart();
    expect(
      await written(
        records.map(({ id }) => id),
        'request_logs',
      ),
    ).toBe(20);
  });

  it('leaves the records that it may have lost to the spool when the gateway ends meanwhile', async () => {
    const usage = openUsage(1_000_000);
    const record = aUsageRecord();
    await usage.insert([usageLine(record)]);
    await server.kill();
    await expect(usage.insert([usageLine(aUsageRecord())], within(300))).rejects.toMatchObject(UNAVAILABLE);
    expect(await usage.close(500)).toEqual([usageLine(record)]);
    await server.restart();
  });
});

const standbyNames = (value: string) =>
  server.asOwner(async (sql) => {
    await sql.unsafe(`alter system set synchronous_standby_names = '${value}'`);
    await sql`select pg_reload_conf()`;
  });

describe('a server whose synchronous standby is away', () => {
  it('keeps no connection for each flush of usage records that is given up', async () => {
    await standbyNames('absent');
    try {
      const usage = openUsage(50, 500);
      await usage.insert([usageLine(aUsageRecord())]);
      const met = new Set<number>();
      const look = async (): Promise<number> => {
        const rows = await server.asOwner(
          (sql) => sql<{ pid: number }[]>`
            select pid from pg_stat_activity where application_name = 'gateway usage log'`,
        );
        for (const { pid } of rows) met.add(pid);
        return rows.length;
      };
      await vi.waitUntil(async () => (await look()) > 0 && met.size > 4, { timeout: 25_000 });
      expect(await look()).toBeLessThan(4);
    } finally {
      await standbyNames('');
    }
  });
});

describe('a server that stops waiting for its synchronous standby', () => {
  it('confirms no decision: the canceled commit may not survive a fail-over', async () => {
    const { log } = openAll();
    await log.append(aDecision());
    const untilRefused = async (): Promise<unknown> => {
      try {
        for (;;) await log.append(aDecision(), within(2500)); // until the server has read its setting
      } catch (error) {
        return error;
      }
    };
    const canceled = () =>
      server.asOwner((sql) => sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`);
    await standbyNames('absent');
    try {
      const refused = untilRefused();
      await expect.poll(async () => (await canceled()).length).toBeGreaterThan(0);
      expect(await refused).toMatchObject(UNAVAILABLE);
    } finally {
      await standbyNames('');
    }
    await log.append(aDecision());
    await expectIntact();
  });
});

describe('a server that is frozen', () => {
  it('is refused at the deadline, and a late answer reaches no caller', async () => {
    const { facts, log } = openAll();
    const usage = openUsage(50);
    await facts.read(query);
    for (let index = 0; index < 3; index += 1) await log.append(aDecision());
    await usage.insert([usageLine(aUsageRecord())]);
    server.freeze();
    const refusal = aDecision({ outcome: 'refused', reason: 'undecided', status: 503 });
    const approvals = Array.from({ length: 5 }, () => aDecision());
    const asked = [
      facts.read(query, within(300)),
      facts.read({ ...query, endpoint: 'nowhere' }, within(300)),
      usage.insert([usageLine(aUsageRecord())], within(300)),
      ...approvals.map((approval) => log.append(approval, within(300))),
    ];
    expect(log.appendLater(refusal)).toBe(true);
    for (const { status, ...rest } of await Promise.allSettled(asked)) {
      expect(status).toBe('rejected');
      expect('reason' in rest && rest.reason).toMatchObject(UNAVAILABLE);
    }
    await expect(facts.read(query, within(300)), 'a new connection is not answered either').rejects.toMatchObject(
      UNAVAILABLE,
    );
    server.thaw();
    expect((await facts.read(query)).endpoint?.name).toBe('chat');
    await log.append(aDecision());
    expect(await log.drain(10_000)).toBe(0);
    expect(await written([refusal.id], 'authorization_decisions'), 'written once').toBe(1);
    await usage.insert([usageLine(aUsageRecord())]);
    await expectIntact();
  });
});

describe('a usage record that a frozen server received', () => {
  it('is not written when the server continues: its caller’s answer states that nothing was billed', async () => {
    const usage = openUsage(1_000_000);
    await usage.insert([usageLine(aUsageRecord())]);
    server.freeze();
    const refused = aUsageRecord();
    await expect(usage.insert([usageLine(refused)], within(300))).rejects.toMatchObject(UNAVAILABLE);
    server.thaw();
    const later = aUsageRecord();
    await usage.insert([usageLine(later)]);
    expect(await written([later.id], 'request_logs')).toBe(1);
    await server.asOwner(async (sql) => {
      // The statement on the frozen connection has been executed once its server process has ended.
      await expect
        .poll(() =>
          sql`select from pg_stat_activity where application_name = 'gateway usage log'`.then((rows) => rows.length),
        )
        .toBe(1);
    });
    expect(await written([refused.id], 'request_logs')).toBe(0);
  });

  it('is written once it is sent again with a new deadline', async () => {
    const usage = openUsage(1_000_000);
    await usage.insert([usageLine(aUsageRecord())]);
    server.freeze();
    const record = aUsageRecord();
    await expect(usage.insert([usageLine(record)], within(300))).rejects.toMatchObject(UNAVAILABLE);
    server.thaw();
    await usage.insert([usageLine(record)]);
    expect(await written([record.id], 'request_logs')).toBe(1);
  });
});

describe('a server that became read-only', () => {
  it('is refused for what must be written, until it can be written again', async () => {
    const { facts, log } = openAll();
    const usage = openUsage(50);
    await log.append(aDecision());
    const readOnly = (setting: 'on' | 'off') =>
      server.asOwner(async (sql) => {
        await sql.unsafe(`alter system set default_transaction_read_only = ${setting}`);
        await sql`select pg_reload_conf()`;
      });
    const outcome = (done: Promise<unknown>) =>
      done.then(
        () => 'written',
        (error: Error) => error.name,
      );
    await readOnly('on');
    await expect.poll(() => outcome(log.append(aDecision()))).toBe('DatabaseUnavailable');
    await expect(usage.insert([usageLine(aUsageRecord())])).rejects.toMatchObject(UNAVAILABLE);
    expect((await facts.read(query)).account?.username).toBe('caller');
    await readOnly('off');
    await expect.poll(() => outcome(log.append(aDecision()))).toBe('written');
    await expect.poll(() => outcome(usage.insert([usageLine(aUsageRecord())]))).toBe('written');
    await expectIntact();
  });
});

describe('a server that ends the connection', () => {
  it('is queried again on a new one, without an error between queries', async () => {
    const { facts, log } = openAll();
    await facts.read(query);
    await log.append(aDecision());
    await server.asOwner(
      (sql) => sql`
      select pg_terminate_backend(pid, 60000) from pg_stat_activity where usename = 'gateway_service'`,
    );
    await expect
      .poll(() =>
        facts.read(query).then(
          ({ account }) => account?.username,
          () => 'refused',
        ),
      )
      .toBe('caller');
    await expect
      .poll(() =>
        log.append(aDecision()).then(
          () => 'written',
          () => 'refused',
        ),
      )
      .toBe('written');
    await expectIntact();
  });
});

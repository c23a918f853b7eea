import { DECISIONS, parseDatabaseAddress } from '@gateway/database';
import { createDecisionLog, type DecisionLog } from '@gateway/database/audit-log/decision-log';
import {
  aDecision,
  createTestDatabase,
  declaring,
  digestOfKey,
  type FaultProxy,
  keyOf,
  startFaultProxy,
  type TestDatabase,
  verdictOn,
} from '@gateway/database/testing';
import { createSigner, generateSigningKey } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createUsageLog, usageLine } from '../usage/gateway.ts';
import { aUsageRecord } from '../usage/testing/usage-record.ts';
import { createRelayFactsReader } from './reader.ts';

// Each test makes a connection for each of hundreds of bytes.
vi.setConfig({ testTimeout: 180_000 });

/**
 * The connection is cut at a byte of the server's reply (limits-11): an append at every byte, the longer replies at a sample of
 * bytes that differs in each run.
 */
let database: TestDatabase;
let proxy: FaultProxy;
beforeAll(async () => {
  database = await createTestDatabase();
  const declare = declaring(database.sql);
  await declare.endpoint('chat', await declare.model(await declare.provider('engine'), 'small'));
  await declare.account('caller');
  proxy = await startFaultProxy(database.ownerUrl);
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

const address = () => parseDatabaseAddress(proxy.through(database.gatewayUrl));
const query = {
  identity: { kind: 'key', digest: digestOfKey(keyOf('caller')).toString('hex') },
  endpoint: 'chat',
  session: null,
} as const;

/** The first byte that is cut; `CUT_SEED` chooses another. It is printed, so that a run can be repeated. */
function anyOf(step: number): number {
  const first = Number(process.env.CUT_SEED ?? 1) % step;
  process.stdout.write(`cut every ${step} bytes from ${first} on\n`);
  return first;
}

/** How many bytes the server answers, once everything is prepared. */
async function replyLength(work: () => Promise<unknown>): Promise<number> {
  for (let round = 0; round < 3; round += 1) await work();
  proxy.cutAfter(null);
  await work();
  return proxy.replied();
}

/** Runs `work` with its reply cut after so many bytes, once: it is asked again on another connection. */
async function cutAt<Result>(bytes: number, work: () => Promise<Result>): Promise<Result> {
  const before = proxy.connections();
  proxy.cutOnceAfter(bytes);
  const result = await work();
  expect(proxy.connections(), `cut at ${bytes}`).toBeGreaterThan(before);
  proxy.cutAfter(null);
  return result;
}

describe('a reply that is cut', () => {
  it('of the facts is asked again, and answered rightly', async () => {
    const facts = createRelayFactsReader({ address: address(), billing: true, organization: null, budgetMs: 5000 });
    const read = () => facts.read(query);
    const expected = await read();
    const length = await replyLength(read);
    for (let bytes = anyOf(7); bytes < length; bytes += 7) expect(await cutAt(bytes, read)).toEqual(expected);
    facts.close();
  });

  it('of an append is tried again; no sequence is doubled, no entry written twice', async () => {
    const log = createDecisionLog({ address: address(), signer: createSigner(generateSigningKey()), budgetMs: 5000 });
    const length = await replyLength(() => log.append(aDecision()));
    const durable: string[] = [];
    const later: string[] = [];
    for (let bytes = 0; bytes < length; bytes += 1) {
      const [approval, refusal, next] = [aDecision(), aDecision({ outcome: 'refused' }), aDecision()];
      await prepared(log);
      await cutAt(bytes, async () => {
        const done = log.append(approval);
        log.appendLater(refusal);
        await done;
      });
      later.push(refusal.id);
      await log.append(next);
      durable.push(approval.id, next.id);
    }
    expect(await log.drain(10_000)).toBe(0);
    log.close();
    const kept = await database.sql<{ id: string }[]>`select id from authorization_decisions`;
    const ids = new Set(kept.map(({ id }) => id));
    expect(ids.size).toBe(kept.length);
    for (const id of [...durable, ...later]) expect(ids).toContain(id);
    expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: BigInt(kept.length) });
  });

  it('of a connection being made is tried again', async () => {
    const log = () =>
      createDecisionLog({ address: address(), signer: createSigner(generateSigningKey()), budgetMs: 5000 });
    const first = log();
    proxy.cutAfter(null);
    await first.append(aDecision());
    const length = proxy.replied();
    first.close();
    for (let bytes = anyOf(67); bytes < length; bytes += 67) {
      const fresh = log();
      await cutAt(bytes, () => fresh.append(aDecision()));
      fresh.close();
    }
    expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true });
  });

  it('of a usage record is tried again, and the record, also written once more, is counted once', async () => {
    const usage = createUsageLog({ address: address(), budgetMs: 5000, proveEveryMs: 1_000_000 });
    const modelId = uuid();
    const record = () => aUsageRecord({ modelId, inputTokens: 1, outputTokens: 2 });
    const length = await replyLength(() => usage.insert([usageLine(record())]));
    for (let bytes = 0; bytes < length; bytes += 1) {
      const one = record();
      await cutAt(bytes, () => usage.insert([usageLine(one)]));
      await usage.insert([usageLine(one)]); // as the spool does
    }
    expect(await usage.close(5000)).toEqual([]);
    const [{ n } = { n: 0 }] = await database.sql<{ n: number }[]>`
      select count(*)::int as n from request_logs where model_id = ${modelId}`;
    const [totals] =
      await database.sql`select input_tokens, output_tokens from usage_totals where model_id = ${modelId}`;
    expect(n).toBe(4 + length);
    expect(totals).toEqual({ input_tokens: String(n), output_tokens: String(2 * n) });
  });
});

/** Two appends: after them this process has the current end, and the next append is one round trip. */
async function prepared(log: DecisionLog): Promise<void> {
  for (let round = 0; round < 3; round += 1) await log.append(aDecision());
}

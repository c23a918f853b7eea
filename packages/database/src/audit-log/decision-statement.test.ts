import { createSigner, generateSigningKey } from '@gateway/ledger';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/connect.ts';
import { aDecision, aDetection, createTestDatabase, type TestDatabase, verdictOn } from '../testing/index.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { createDetectionLog, type DetectionLog } from './decision-statement.ts';
import { DECISIONS } from './index.ts';

let database: TestDatabase;
let log: DetectionLog;
beforeEach(async () => {
  database = await createTestDatabase();
  log = createDetectionLog({ address: parseDatabaseAddress(database.gatewayUrl), budgetMs: 5000 });
});
afterEach(async () => {
  log.close();
  await database.drop();
});
const rows = async (): Promise<Record<string, unknown>[]> => [
  ...(await database.sql`select * from secret_detections order by number`),
];

describe('the detection log', () => {
  it('keeps what it is given', async () => {
    const one = aDetection();
    await log.insert([one]);
    const [row] = await rows();
    expect(row).toMatchObject({
      id: one.id,
      at: new Date(one.at),
      decision_id: one.decisionId,
      place: 'request',
      kind: 'access-token',
      rule: 'github-token',
      confidence: 'high',
      response: 'mask',
      pointer: '/messages/0/content',
      start_offset: 10n,
      end_offset: 50n,
      length: 40n,
      digest: Buffer.from('ab'.repeat(32), 'hex'),
      occurrences: 1,
    });
  });

  it('stores each detection once, even if it is written repeatedly', async () => {
    const many = Array.from({ length: 300 }, () => aDetection());
    await Promise.all([...many.map((one) => log.insert([one])), log.insert(many)]);
    await log.insert(many);
    expect(await rows()).toHaveLength(300);
  });

  it('takes any pointer, and shortens a long one', async () => {
    const pointers = fc.array(fc.option(fc.string({ unit: 'binary', maxLength: 3000 }), { nil: null }));
    await fc.assert(
      fc.asyncProperty(pointers, async (list) => log.insert(list.map((pointer) => aDetection({ pointer })))),
      { numRuns: 30 },
    );
    const [longest] = await database.sql<{ n: number | null }[]>`
      select max(char_length(pointer)) as n from secret_detections`;
    expect(longest?.n ?? 0).toBeLessThanOrEqual(1024);
  });

  it('refuses only a group with faulty content', async () => {
    const bad = { ...aDetection(), kind: null } as never;
    const tries = await Promise.allSettled([log.insert([aDetection()]), log.insert([bad]), log.insert([aDetection()])]);
    expect(tries.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await rows()).toHaveLength(2);
  });

  it('takes nothing more once it is closed', async () => {
    log.close();
    await expect(log.insert([aDetection()])).rejects.toThrow('closed');
  });
});

describe('detections of a request', () => {
  let decisions: DecisionLog;
  const signer = createSigner(generateSigningKey());
  beforeEach(() => {
    decisions = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 5000 });
  });
  afterEach(() => decisions.close());
  const found = (decision: { id: string }, count = 1) =>
    Array.from({ length: count }, () => aDetection({ decisionId: decision.id }));

  it('are committed with their decision, alone and among others', async () => {
    const together = Array.from({ length: 60 }, () => aDecision());
    await Promise.all(
      together.map((one, index) => decisions.append(one, undefined, index % 3 === 0 ? found(one, 2) : [])),
    );
    const refused = aDecision({ outcome: 'refused', reason: 'secret-detected', status: 403 });
    expect(decisions.appendLater(refused, found(refused, 3))).toBe(true);
    expect(await decisions.drain(5000)).toBe(0);
    const counted = await database.sql<{ id: string; n: number }[]>`
      select decision_id as id, count(*)::int as n from secret_detections group by 1`;
    expect(new Map(counted.map(({ id, n }) => [id, n]))).toEqual(
      new Map([...together.filter((_, index) => index % 3 === 0).map(({ id }) => [id, 2] as const), [refused.id, 3]]),
    );
    expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: 61n });
  });

  it('are not there where the decision is not', async () => {
    const decision = aDecision();
    const broken = [{ ...aDetection({ decisionId: decision.id }), kind: null } as never];
    await expect(decisions.append(decision, undefined, broken)).rejects.toThrow('not available');
    await decisions.append(aDecision());
    expect(await rows()).toEqual([]);
    expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: 1n });
  });

  it('of several writers leave one chain', async () => {
    const other = createDecisionLog({ address: parseDatabaseAddress(database.gatewayUrl), signer, budgetMs: 5000 });
    const made = await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        const one = aDecision();
        await (index % 2 ? other : decisions).append(one, undefined, found(one));
      }),
    );
    other.close();
    expect(await rows()).toHaveLength(made.length);
    expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true, entries: 40n });
  });
});

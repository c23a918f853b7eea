import { createSigner, generateSigningKey } from '@gateway/ledger';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/connect.ts';
import {
  aDecision,
  createTestDatabase,
  type FaultProxy,
  startFaultProxy,
  type TestDatabase,
  untilWaiting,
  verdictOn,
} from '../testing/index.ts';
import { createDecisionLog, type DecisionLog, type DecisionLogOptions } from './decision-log.ts';
import { DECISIONS } from './index.ts';
import { TURN_OF } from './names.ts';

let database: TestDatabase;
let proxy: FaultProxy;
const logs: DecisionLog[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  proxy = await startFaultProxy(database.gatewayUrl);
});
afterEach(async () => {
  for (const log of logs.splice(0)) log.close();
  proxy.cutAfter(null);
  // Whatever a test did: the chain is whole.
  expect(await verdictOn(database.sql, DECISIONS)).toMatchObject({ ok: true });
});
afterAll(async () => {
  await proxy.close();
  await database.drop();
});

const signer = createSigner(generateSigningKey());
const open = (more: Partial<DecisionLogOptions> = {}): DecisionLog => {
  const log = createDecisionLog({
    address: parseDatabaseAddress(database.gatewayUrl),
    signer,
    budgetMs: 60_000,
    ...more,
  });
  logs.push(log);
  return log;
};
const soon = () => performance.now() + 600_000;
const refusal = (session: string) => aDecision({ outcome: 'refused', reason: 'role-missing', status: 403, session });
/** What the log has of these sessions, in its order. */
const written = async (prefix: string) =>
  (
    await database.sql<{ session: string }[]>`
      select session from authorization_decisions where session like ${`${prefix}%`} order by sequence`
  ).map(({ session }) => session);
/**
 * Holds the table until the log waits for it: what arrives meanwhile waits for the batch that is under way.
 * @returns how each of the entries ended
 */
async function whileLocked(
  work: () => readonly Promise<unknown>[],
  then: () => void = () => {},
): Promise<readonly string[]> {
  const { outcomes } = await database.sql.begin(async (sql) => {
    await sql`lock table authorization_decisions in share mode`;
    const settled = Promise.allSettled(work());
    await untilWaiting(database.sql, 1);
    then();
    return { outcomes: settled };
  });
  return (await outcomes).map(({ status }) => status);
}

describe('entries that arrive while a batch is written', () => {
  it('leave in batches that are not too large: approvals first, with a share for refusals', async () => {
    const batches: number[] = [];
    const log = open({ onBatch: (size) => batches.push(size) });
    await log.append(aDecision({ session: 'batched first' }));
    const approve = (session: string) => log.append(aDecision({ session }), soon());
    const approved = await whileLocked(() => {
      const first = approve('batched under way');
      for (let n = 0; n < 300; n += 1) log.appendLater(refusal('batched refused'));
      return [first, ...Array.from({ length: 600 }, () => approve('batched approved'))];
    });
    expect(new Set(approved)).toEqual(new Set(['fulfilled']));
    expect(await log.drain(600_000)).toBe(0);
    // 512 approvals; the other 88 with 128 refusals; the refusals that are left.
    expect(batches.reduce((sum, size) => sum + size, 0)).toBe(902);
    expect(Math.max(...batches)).toBeLessThanOrEqual(512);
    const order = await written('batched ');
    const lastApproved = order.lastIndexOf('batched approved');
    expect(order.slice(0, lastApproved).filter((session) => session === 'batched refused').length).toBeLessThanOrEqual(
      2 * 128,
    );
    expect(order.filter((session) => session === 'batched refused')).toHaveLength(300);
  });

  it('join a batch that waits for its turn, except those that are due before it', async () => {
    const batches: number[] = [];
    const log = open({ onBatch: (size) => batches.push(size) });
    const append = (session: string, deadline = soon()) => log.append(aDecision({ session }), deadline);
    await append('joined first');
    const joined = await database.sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})`;
      const first = append('joined under way');
      await untilWaiting(database.sql, 1);
      const others = [
        ...Array.from({ length: 40 }, () => append('joined later')),
        append('joined urgent', performance.now() + 500_000),
        append('joined last'),
      ];
      return { all: Promise.all([first, ...others]) };
    });
    await joined.all;
    expect(batches).toEqual([1, 41, 2]);
  });

  it('are refused at their own deadline, and do not take the others of their batch with them', async () => {
    const log = open();
    await log.append(aDecision({ session: 'dated first' }));
    const outcomes = await whileLocked(() => [
      log.append(aDecision({ session: 'dated under way' }), soon()),
      log.append(aDecision({ session: 'dated late' }), performance.now() - 1),
      log.append(aDecision({ session: 'dated in time' }), soon()),
    ]);
    expect(outcomes).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await written('dated ')).toEqual(['dated first', 'dated under way', 'dated in time']);
  });

  it('are all answered when the log is closed, and the next process continues the chain', async () => {
    const log = open();
    await log.append(aDecision({ session: 'closed first' }));
    const outcomes = await whileLocked(
      () => {
        log.appendLater(refusal('closed refused'));
        return [0, 1, 2].map((n) => log.append(aDecision({ session: `closed ${n}` }), soon()));
      },
      () => log.close(),
    );
    expect(outcomes).toEqual(['rejected', 'rejected', 'rejected']);
    const next = open({ signer: createSigner(generateSigningKey()) });
    await next.append(aDecision({ session: 'closed after' }));
    expect((await written('closed ')).at(-1)).toBe('closed after');
  });
});

describe('refusals while the database cannot be reached', () => {
  it('are written once each and in their order when it can, however often a reply was cut', async () => {
    const outcomes: boolean[] = [];
    const log = open({
      address: parseDatabaseAddress(proxy.through(database.gatewayUrl)),
      onOutcome: (error) => outcomes.push(error === null),
    });
    await log.append(aDecision({ session: 'cut first' }));
    const expected: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      proxy.cutAfter(round * 15);
      for (let n = 0; n < 3; n += 1) {
        expected.push(`cut ${round} ${n}`);
        log.appendLater(refusal(`cut ${round} ${n}`));
      }
      const before = outcomes.length;
      await expect.poll(() => outcomes.slice(before)).toContain(false);
      proxy.cutAfter(null);
      expect(await log.drain(600_000)).toBe(0);
    }
    expect(await written('cut ')).toEqual(['cut first', ...expected]);
  });

  it('are counted by a drain that gives up, and none is lost by it', async () => {
    const log = open({ address: parseDatabaseAddress(proxy.through(database.gatewayUrl)) });
    proxy.cutAfter(0);
    for (let n = 0; n < 4; n += 1) log.appendLater(refusal(`drained ${n}`));
    expect(await log.drain(20)).toBe(4);
    proxy.cutAfter(null);
    expect(await log.drain(600_000)).toBe(0);
    expect(await written('drained ')).toEqual(['drained 0', 'drained 1', 'drained 2', 'drained 3']);
  });

  it('make room again once they are written', async () => {
    const settled: string[] = [];
    const log = open({ address: parseDatabaseAddress(proxy.through(database.gatewayUrl)), capacity: 2 });
    proxy.cutAfter(0);
    const add = (session: string) => log.appendLater(refusal(session), [], () => settled.push(session));
    expect([add('room 1'), add('room 2'), add('room 3')]).toEqual([true, true, false]);
    proxy.cutAfter(null);
    await log.drain(600_000);
    expect([add('room 4'), add('room 5'), add('room 6')]).toEqual([true, true, false]);
    await log.drain(600_000);
    expect(settled).toEqual(['room 1', 'room 2', 'room 4', 'room 5']);
    expect(await written('room ')).toEqual(settled);
  });

  it('do not keep an approval waiting: it is refused at its deadline', async () => {
    const log = open({ address: parseDatabaseAddress('postgres://gateway_service:x@127.0.0.1:1/nowhere') });
    log.appendLater(refusal('unreachable'));
    for (let turn = 0; turn < 2; turn += 1) {
      const soon = performance.now() + 200;
      await expect(log.append(aDecision(), soon)).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    }
    expect(await log.drain(1)).toBe(1);
  });
});

describe('a writer whose session is ended on the server', () => {
  const endSessions = (state: string) => database.sql`
    select pg_terminate_backend(pid, 60000) from pg_stat_activity
    where datname = current_database() and usename = 'gateway_service' and state like ${state}`;

  it('between two entries writes the next one on a new session', async () => {
    const log = open();
    await log.append(aDecision({ session: 'ended 1' }));
    await endSessions('idle%');
    // The end may be noticed with this entry, whose caller is then refused, or before it.
    await log.append(aDecision({ session: 'ended 2' })).catch(() => {});
    await log.append(aDecision({ session: 'ended 3' }));
    expect((await written('ended ')).at(-1)).toBe('ended 3');
  });

  it('while an entry waits for the turn writes it on a new session, once, and leaves no lock', async () => {
    const log = open();
    await log.append(aDecision({ session: 'turn first' }));
    let waiting: Promise<unknown> = Promise.resolve();
    await database.sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${TURN_OF[DECISIONS]})`;
      waiting = log.append(aDecision({ session: 'turn lost' }), soon()).catch((error: unknown) => error);
      await untilWaiting(database.sql, 1);
      await endSessions('active');
    });
    expect(await waiting).toMatchObject({ sequence: expect.anything() });
    await log.append(aDecision({ session: 'turn next' }));
    expect(await written('turn ')).toEqual(['turn first', 'turn lost', 'turn next']);
  });
});

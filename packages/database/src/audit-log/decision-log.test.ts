import { createSigner, generateSigningKey } from '@gateway/ledger';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseDatabaseAddress } from '../client/connect.ts';
import { aDecision, type TestDatabase } from '../testing/index.ts';
import { type OpenLogs, openLogs, signer } from './testing/open-logs.ts';

let logs: OpenLogs;
let database: TestDatabase;
let open: OpenLogs['open'];
let count: OpenLogs['count'];
let expectIntact: OpenLogs['expectIntact'];

beforeEach(async () => {
  logs = await openLogs();
  ({ database, open, count, expectIntact } = logs);
});
afterEach(() => logs.end());

describe('an entry', () => {
  it('is committed, chained and sealed when append resolves', async () => {
    const log = open();
    expect(await log.append(aDecision({ requestId: 'first' }))).toEqual({ sequence: 1n });
    expect(await count()).toBe(1);
    for (const sequence of [2n, 3n, 4n]) expect(await log.append(aDecision())).toEqual({ sequence });
    await expectIntact();
  });

  it('publishes the key of its seal as one of the program that decided', async () => {
    await open().append(aDecision({ component: 'console' }));
    const keys = await database.sql<{ id: string; component: string }[]>`select id, component from signing_keys`;
    expect([...keys]).toEqual([{ id: signer.keyId, component: 'console' }]);
  });

  it('is read back as hashed, for any texts', async () => {
    const log = open();
    const text = fc.option(
      fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\0', '\ud800', '"\\{},')),
    );
    await fc.assert(
      fc.asyncProperty(fc.record({ subject: text, session: text, detail: text, requestId: text }), async (texts) => {
        await log.append(aDecision({ ...texts, id: aDecision().id.toUpperCase(), at: '2026-01-02T03:04:05Z' }));
      }),
    );
    for (const roles of [[], ['utilisateur-standard', 'auditeur']] as const) await log.append(aDecision({ roles }));
    await log.append(aDecision({ keyId: null, subject: null, credential: 'none', policyRevision: 7 }));
    expect(await count()).toBeGreaterThan(100);
    await expectIntact();
  });

  it('of a refusal is written after the answer, before the log is drained', async () => {
    const log = open();
    for (let index = 0; index < 100; index += 1) {
      expect(log.appendLater(aDecision({ outcome: 'refused', reason: 'key-unknown', status: 401 }))).toBe(true);
    }
    expect(await log.drain(5000)).toBe(0);
    expect(await count()).toBe(100);
    await expectIntact();
  });

  it('of a refusal reports when it has left the memory for waiting refusals', async () => {
    const log = open();
    const order: string[] = [];
    const known = aDecision({ outcome: 'refused', reason: 'role-missing', status: 403 });
    const nobody = aDecision({ outcome: 'refused', reason: 'key-unknown', status: 401, subject: null });
    log.appendLater(nobody, [], () => order.push('nobody'));
    expect(order, 'counted in another share').toEqual(['nobody']);
    log.appendLater(known, [], () => order.push('known'));
    expect(order).toHaveLength(1);
    expect(await log.drain(5000)).toBe(0);
    expect(order).toEqual(['nobody', 'known']);
    expect(await count()).toBe(2);
  });

  it('that arrives just after the last batch is awaited by a drain that began before', async () => {
    const log = open();
    const first = log.append(aDecision());
    const drained = log.drain(3_600_000); // the duration of a drain that misses the end of the second
    await first;
    await new Promise<void>((resolve) => process.nextTick(resolve)); // the batch is done, and the next one not collected yet
    await log.append(aDecision());
    expect(await drained).toBe(0);
  });
});

describe('many concurrent entries', () => {
  it('share transactions and seals, and each gets its own sequence in the order of its coming', async () => {
    const log = open();
    await log.append(aDecision());
    const answers = await Promise.all(Array.from({ length: 1500 }, () => log.append(aDecision())));
    expect(answers.map(({ sequence }) => Number(sequence))).toEqual(
      Array.from({ length: 1500 }, (_, index) => index + 2),
    );
    const [seals] = await database.sql<{ n: number }[]>`select count(*)::int as n from authorization_decision_seals`;
    expect(seals?.n).toBeLessThan(10);
    await expectIntact();
  });

  it('by several writers make one chain without a gap', async () => {
    const writers = [open(), open(), open({ signer: createSigner(generateSigningKey()) })];
    await Promise.all(
      writers.flatMap((log) =>
        Array.from({ length: 8 }, async () => {
          for (let index = 0; index < 20; index += 1) await log.append(aDecision());
        }),
      ),
    );
    expect(await count()).toBe(3 * 8 * 20);
    await expectIntact();
  });

  it('continue in one round trip once no other process appends', async () => {
    const [one, other] = [open(), open()];
    for (let round = 0; round < 3; round += 1) {
      for (let turn = 0; turn < 20; turn += 1) await one.append(aDecision());
      await other.append(aDecision());
    }
    expect(await count()).toBe(63);
    await expectIntact();
  });
});

describe('an entry that the database refuses because of its content', () => {
  it('is refused alone, and the others of its batch are written', async () => {
    const refused: string[] = [];
    const log = open({ onRefusedEntry: ({ id }) => refused.push(id) });
    const bad = aDecision({ credential: 'nonsense' as 'key' });
    const results = await Promise.allSettled([
      log.append(aDecision()),
      ...Array.from({ length: 5 }, () => log.append(aDecision())),
      log.append(bad),
      ...Array.from({ length: 5 }, () => log.append(aDecision())),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      ...Array(6).fill('fulfilled'),
      'rejected',
      ...Array(5).fill('fulfilled'),
    ]);
    expect(refused).toEqual([bad.id]);
    await log.append(aDecision());
    await expectIntact();
  });

  it('does not delay the refusals after it', async () => {
    const refused: string[] = [];
    const log = open({ onRefusedEntry: ({ id }) => refused.push(id) });
    await log.append(aDecision());
    log.appendLater(aDecision({ id: 'no uuid' }));
    log.appendLater(aDecision({ outcome: 'refused' }));
    expect(await log.drain(5000)).toBe(0);
    expect(refused).toEqual(['no uuid']);
    expect(await count()).toBe(2);
    await expectIntact();
  });
});

describe.each([
  ['trigger', 'authorization_decisions', 'before insert', 'for each row execute function forget()'],
  ['trigger', 'authorization_decision_seals', 'before insert', 'for each row execute function forget()'],
  ['rule', 'authorization_decision_seals', 'as on insert', 'do instead nothing'],
])('a %s of %s that drops what is recorded', (kind, table, when, what) => {
  it('leaves no entry recorded, and the log continues once it is gone', async () => {
    const log = open();
    await log.append(aDecision()); // from now on in one round trip
    await database.sql.unsafe(`create function forget() returns trigger language plpgsql as 'begin return null; end'`);
    await database.sql.unsafe(`create ${kind} forget ${when} ${when.startsWith('as') ? 'to' : 'on'} ${table} ${what}`);
    for (const each of [log, open()]) {
      await expect(each.append(aDecision())).rejects.toThrow(
        'the server did not keep the decision: remove what drops it, a trigger or a rule of authorization_decisions',
      );
    }
    await database.sql.unsafe(`drop ${kind} forget on ${table}`);
    await log.append(aDecision());
    await expectIntact();
  });
});

it('a trigger that drops one entry of a batch leaves none of it recorded', async () => {
  const log = open();
  await log.append(aDecision());
  const [dropped, last] = [aDecision({ subject: 'dropped' }), aDecision()];
  await database.sql.unsafe(`
    create function forget() returns trigger language plpgsql as 'begin return null; end';
    create trigger forget before insert on authorization_decisions
    for each row when (new.subject = 'dropped') execute function forget()`);
  const batch = await Promise.allSettled([log.append(dropped), log.append(last)]);
  expect(batch.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

describe('while the table is locked', () => {
  it('approvals are refused at their deadline, what commits later is whole, and refusals are written once', async () => {
    const log = open();
    await log.append(aDecision());
    await log.append(aDecision());
    await log.append(aDecision());
    const held = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const holder = database.sql.begin(async (sql) => {
      await sql`lock table authorization_decisions in exclusive mode`;
      held.resolve();
      await release.promise;
    });
    await held.promise;
    const soon = () => performance.now() + 300;
    await expect(log.append(aDecision(), soon())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    log.appendLater(aDecision({ outcome: 'refused', requestId: 'later' }));
    await expect(log.append(aDecision(), soon())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
    release.resolve();
    await holder;
    expect(await log.drain(10_000)).toBe(0);
    await log.append(aDecision());
    const rows = await database.sql`select from authorization_decisions where request_id = 'later'`;
    expect(rows.length).toBe(1);
    await expectIntact();
  });
});

describe('a flood of refusals of callers without a proof', () => {
  const nobody = () =>
    aDecision({ outcome: 'refused', reason: 'key-unknown', status: 401, subject: null, keyId: null, roles: [] });
  it('does not delay approvals, and ends as entries and counts, all complete', async () => {
    const log = open();
    await log.append(aDecision());
    for (let index = 0; index < 20_000; index += 1) expect(log.appendLater(nobody())).toBe(true);
    const { sequence } = await log.append(aDecision({ requestId: 'granted' }));
    expect(sequence, 'beside one batch of refusals at most').toBeLessThan(100n);
    expect(log.appendLater(aDecision({ outcome: 'refused', reason: 'role-missing', status: 403 }))).toBe(true);
    expect(await log.drain(60_000)).toBe(0);
    const rows = await database.sql<{ detail: string | null; n: number }[]>`
      select detail, count(*)::int as n from authorization_decisions where subject is null group by detail`;
    const counted = rows.map(({ detail, n }) => (detail === null ? n : Number.parseInt(detail, 10)));
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(20_000);
    expect(await count()).toBeLessThan(1200);
    await expectIntact();
  });
});

describe('limits', () => {
  it('more refusals than fit are not accepted while the database is unavailable', async () => {
    const unavailable = parseDatabaseAddress('postgres://gateway_service:x@127.0.0.1:1/nowhere');
    const log = open({ address: unavailable, capacity: 3 });
    const taken = [1, 2, 3, 4, 5].map(() => log.appendLater(aDecision({ outcome: 'refused' })));
    expect(taken).toEqual([true, true, true, false, false]);
    await expect(log.append(aDecision(), performance.now() + 200)).rejects.toMatchObject({
      name: 'DatabaseUnavailable',
    });
    expect(await log.drain(100)).toBe(3);
  });

  it('a closed log accepts nothing and leaves no caller waiting', async () => {
    const log = open();
    await log.append(aDecision());
    const pending = log.append(aDecision());
    const waiting = log.append(aDecision());
    log.close();
    expect((await Promise.allSettled([pending, waiting])).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
    expect(log.appendLater(aDecision())).toBe(false);
    await expect(log.append(aDecision())).rejects.toMatchObject({ name: 'DatabaseUnavailable' });
  });
});

import { parseDatabaseAddress } from '@gateway/database';
import { createTestDatabase, type TestDatabase } from '@gateway/database/testing';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createUsageLog, type UsageLog, usageLine } from './gateway.ts';
import type { UsageRecord, WorkSeen } from './shape.ts';
import { aUsageRecord } from './testing/usage-record.ts';

let database: TestDatabase;
let logs: UsageLog[];
beforeEach(async () => {
  logs = [];
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const log of logs) await log.close(1000);
  await database.drop();
});

function open(): UsageLog {
  const log = createUsageLog({ address: parseDatabaseAddress(database.gatewayUrl), budgetMs: 9000, proveEveryMs: 20 });
  logs.push(log);
  return log;
}

const PROVIDER = uuid();
const MODEL = uuid();
const END = { isEnd: true, input: 900, cached: 100, written: 0, output: 500 };

function work(workId: string, change: Partial<WorkSeen> = {}): WorkSeen {
  const none = { input: 0, cached: 0, written: 0, output: 0 };
  return { billId: uuid(), provider: PROVIDER, workId, isStart: false, isEnd: false, ...none, partOf: null, ...change };
}

/** A call that consumed nothing and shows some work. */
function call(subject: string, seen: readonly WorkSeen[], change: Partial<UsageRecord> = {}): UsageRecord {
  const nothing = { inputTokens: 0, outputTokens: 0, usageSource: 'none' } as const;
  return aUsageRecord({ subject, modelId: MODEL, ...nothing, background: seen, ...change });
}
const start = (subject: string, id: string, change: Partial<UsageRecord> = {}) =>
  call(subject, [work(id, { isStart: true })], change);
const read = (subject: string, id: string, change: Partial<WorkSeen> = {}) =>
  call(subject, [work(id, { ...END, ...change })]);

async function insert(log: UsageLog, ...records: UsageRecord[]): Promise<void> {
  expect(await log.insert(records.map(usageLine))).toEqual(new Map());
}

/** Subject, input, cached part and output of the records that bill background work. */
const bills = async (): Promise<unknown[]> => {
  const rows = await database.sql`
    select subject, input_tokens, cached_input_tokens, output_tokens from request_logs where started_by is not null order by 1, 2`;
  return rows.map((row) => [
    row['subject'],
    Number(row['input_tokens']),
    Number(row['cached_input_tokens']),
    Number(row['output_tokens']),
  ]);
};

describe('work in the background', () => {
  it('is billed once to its starter, by the first answer with its end, and in the totals of the month (relay-38)', async () => {
    const log = open();
    const started = start('alice', 'r1');
    await insert(log, started);
    expect(await bills()).toEqual([]);
    await insert(log, read('bob', 'r1'));
    await insert(log, read('alice', 'r1'), read('bob', 'r1'));
    expect(await bills()).toEqual([['alice', 900, 100, 500]]);
    const [bill] = await database.sql`select * from request_logs where started_by is not null`;
    expect(bill).toMatchObject({
      started_by: started.id,
      usage_source: 'reported',
      endpoint: 'chat',
      upstream_status: null,
    });
    const totals =
      await database.sql`select subject, input_tokens, output_tokens from usage_totals where input_tokens > 0`;
    expect(totals.map((row) => ({ ...row }))).toEqual([
      { subject: 'alice', input_tokens: '900', output_tokens: '500' },
    ]);
    const [requests] = await database.sql`select sum(requests) as calls from usage_unsummed`;
    expect(Number(requests?.['calls'])).toBe(4);
  });

  it('is billed once where two gateways read its end at the same time, many times', async () => {
    const two = [open(), open()];
    await insert(two[0]!, ...['a', 'b', 'c'].map((id) => start('alice', id)));
    const subjects = ['alice', 'bob', 'carol', 'dave'];
    const reads = Array.from({ length: 48 }, (_, at) =>
      insert(two[at % 2]!, read(subjects[at % 4]!, 'abc'[at % 3]!), read(subjects[(at + 1) % 4]!, 'cab'[at % 3]!)),
    );
    await Promise.all(reads);
    expect(await bills()).toEqual([1, 2, 3].map(() => ['alice', 900, 100, 500]));
  });

  it('is billed where the record of its start arrives after that of its end, and both repeatedly', async () => {
    const log = open();
    const [started, ended] = [start('alice', 'late'), read('bob', 'late')];
    await insert(log, ended);
    expect(await bills()).toEqual([]);
    await insert(log, started, ended);
    await insert(log, started, ended);
    expect(await bills()).toEqual([['alice', 900, 100, 500]]);
  });

  it('is not billed where no gateway started it, nor at an end from before its start', async () => {
    const log = open();
    const before = read('bob', 'reused');
    await insert(log, { ...before, timestamp: new Date(Date.now() - 60_000) }, read('bob', 'other'));
    await insert(log, start('alice', 'reused'));
    expect(await bills()).toEqual([]);
    await insert(log, read('alice', 'reused', { output: 7 }));
    expect(await bills()).toEqual([['alice', 900, 100, 7]]);
  });

  it('of one id is different work at different providers, and one work in the life of a provider', async () => {
    const log = open();
    const other = uuid();
    await insert(log, start('alice', 'same'), call('bob', [work('same', { provider: other, isStart: true })]));
    await insert(log, read('bob', 'same'), call('bob', [work('same', { ...END, provider: other, output: 1 })]));
    await insert(log, start('carol', 'same'), read('carol', 'same'));
    expect(await bills()).toEqual([
      ['alice', 900, 100, 500],
      ['bob', 900, 100, 1],
    ]);
  });

  it('costs what its start has not already recorded', async () => {
    const log = open();
    await insert(
      log,
      start('alice', 'part', { inputTokens: 850, outputTokens: 20, usageSource: 'reported' }),
      read('bob', 'part'),
    );
    expect(await bills()).toEqual([['alice', 50, 50, 480]]);
  });

  it('that ended in the call that started it is billed by that call alone', async () => {
    const log = open();
    await insert(
      log,
      call('alice', [work('now', { isStart: true, isEnd: true })], { inputTokens: 900, usageSource: 'reported' }),
    );
    await insert(log, read('bob', 'now'));
    expect(await bills()).toEqual([]);
  });

  it.each([['the batch first'], ['the file first']])(
    'with its usage in a file of results is billed by that file, %s',
    async (order) => {
      const log = open();
      const shown = call('bob', [work('file-out', { partOf: 'batch' })]);
      const file = read('bob', 'file-out');
      await insert(log, start('alice', 'batch'));
      for (const one of order === 'the batch first' ? [shown, file, file] : [file, shown, shown])
        await insert(log, one);
      await insert(log, read('bob', 'batch'));
      expect(await bills()).toEqual([['alice', 900, 100, 500]]);
    },
  );

  it('leaves no column of the record that shows it empty', async () => {
    const log = open();
    await insert(log, start('alice', 'r1'));
    const [row = {}] = await database.sql`select * from request_logs`;
    expect(Object.keys(row).filter((name) => row[name] === null)).toEqual(['started_by']);
  });

  it('that no call started is forgotten after a week', async () => {
    const log = open();
    await insert(log, read('bob', 'old'), start('alice', 'kept'));
    await database.sql`update background_work set seen_at = now() - interval '8 days'`;
    await insert(log, read('bob', 'new'));
    const rows = await database.sql`select work_id from background_work order by 1`;
    expect(rows.map((row) => row['work_id'])).toEqual(['kept', 'new']);
  });
});

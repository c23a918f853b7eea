import { createSigner, generateSigningKey } from '@gateway/ledger';
import { v7 as uuid } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connect, parseDatabaseAddress, type Sql } from '../client/connect.ts';
import { aDecision, aDetection, createTestDatabase, startFaultProxy, type TestDatabase } from '../testing/index.ts';
import { createDecisionLog, type DecisionLog } from './decision-log.ts';
import { createDetectionLog, type DetectionLog } from './decision-statement.ts';
import { appendAdministrationAction } from './index.ts';
import {
  createLogReader,
  type ExportRecord,
  type ExportSource,
  type LogReader,
  type LogReaderOptions,
} from './log-reader.ts';

const signer = createSigner(generateSigningKey());
let database: TestDatabase;
let decisions: DecisionLog;
let detections: DetectionLog;
let opened: { close(): void }[];

function open(more: Partial<LogReaderOptions> = {}): LogReader {
  const address = parseDatabaseAddress(database.gatewayUrl);
  const reader = createLogReader({ address, destination: 'here', budgetMs: 5000, longestValue: 1000, ...more });
  opened.push(reader);
  return reader;
}

beforeEach(async () => {
  database = await createTestDatabase();
  const address = parseDatabaseAddress(database.gatewayUrl);
  decisions = createDecisionLog({ address, signer, budgetMs: 5000 });
  detections = createDetectionLog({ address, budgetMs: 5000 });
  opened = [decisions, detections];
});
afterEach(async () => {
  for (const one of opened) one.close();
  await database.drop();
});

/** Transactions of other databases on the same server are waited for too. */
async function settled(read: () => Promise<unknown>, what: unknown): Promise<void> {
  await expect.poll(read).toEqual(what);
}
const of = (records: readonly ExportRecord[], source: ExportSource) => records.filter((one) => one.source === source);
const anAct = (more = {}) => ({
  id: uuid(),
  session: 's',
  subject: 'ada',
  at: '2026-11-21T10:00:00.000Z',
  tool: 'read',
  target: { kind: 'path' as const, value: '/etc/hosts' },
  authorizedBy: 'policy' as const,
  outcome: 'succeeded' as const,
  ...more,
});
async function store(...acts: ReturnType<typeof anAct>[]): Promise<void> {
  const column = (member: string): string => member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const rows = acts.map(({ target, ...act }) =>
    Object.fromEntries(
      Object.entries({ ...act, targetKind: target.kind, targetValue: target.value }).map(([member, value]) => [
        column(member),
        value,
      ]),
    ),
  );
  await database.sql`insert into agent_acts ${database.sql(rows)}`;
}
async function administer(target: string, newValue: string): Promise<void> {
  const sql = connect(parseDatabaseAddress(database.consoleUrl), { max: 1 });
  const action = {
    component: 'console',
    author: 'root',
    action: 'x.create',
    target,
    oldValue: null,
    newValue,
  } as const;
  await sql.begin((transaction) => appendAdministrationAction(transaction, action, signer));
  await sql.end();
}

describe('reading for the export', () => {
  it('returns every entry of every source as written', async () => {
    const decision = aDecision({ session: 's', requestId: 'r' });
    await decisions.append(decision);
    const found = aDetection({ decisionId: decision.id });
    const lonely = aDetection();
    await detections.insert([found, lonely]);
    const act = anAct({ reason: 'asked for', parentSession: 'p' });
    await store(act);
    await administer('one', 'new');
    const reader = open();
    expect(await reader.claim()).toBe(true);
    await expect.poll(() => reader.read(10)).toHaveLength(5);
    const records = await reader.read(10);
    expect(of(records, 'decisions')).toEqual([
      { source: 'decisions', position: 1n, decision, digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    const { subject, resource, session, sourceAddress } = decision;
    expect(of(records, 'detections')).toEqual([
      { source: 'detections', position: 1n, detection: found, call: { subject, resource, session, sourceAddress } },
      { source: 'detections', position: 2n, detection: lonely, call: null },
    ]);
    expect(of(records, 'acts')).toEqual([
      { source: 'acts', position: 1n, act, receivedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    expect(of(records, 'actions')).toMatchObject([
      { position: 1n, action: { author: 'root', action: 'x.create', newValue: '"new"', shortened: false } },
    ]);
  });

  it('mixes the sources by their times, as far as each of them was read', async () => {
    const at = (hour: number): string => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`;
    for (const hour of [1, 3, 5]) await decisions.append(aDecision({ at: at(hour) }));
    await detections.insert([2, 4, 6].map((hour) => aDetection({ at: at(hour) })));
    const reader = open();
    await reader.claim();
    const read = async (limit: number) => (await reader.read(limit)).map(({ source, position }) => [source, position]);
    await settled(
      () => read(10),
      [
        ['decisions', 1n],
        ['detections', 1n],
        ['decisions', 2n],
        ['detections', 2n],
        ['decisions', 3n],
        ['detections', 3n],
      ],
    );
    expect(await read(2)).toEqual([
      ['decisions', 1n],
      ['detections', 1n],
      ['decisions', 2n],
    ]);
  });

  it('continues after confirmed entries, in order, also in another process', async () => {
    for (let index = 0; index < 25; index += 1) await decisions.append(aDecision());
    const reader = open();
    await reader.claim();
    const first = await reader.read(10);
    expect(first.map(({ position }) => position)).toEqual(Array.from({ length: 10 }, (_, index) => BigInt(index + 1)));
    expect(await reader.read(10)).toEqual(first); // not confirmed: again
    await reader.confirm({ decisions: 10n });
    expect((await reader.read(2)).map(({ position }) => position)).toEqual([11n, 12n]);
    await reader.confirm({ decisions: 4n }); // positions only grow
    reader.close();
    const next = open();
    await expect.poll(() => next.claim()).toBe(true);
    expect((await next.read(100)).map(({ position }) => position)).toEqual(
      Array.from({ length: 15 }, (_, index) => BigInt(index + 11)),
    );
  });

  it('keeps a position for each destination', async () => {
    await decisions.append(aDecision());
    const here = open();
    await here.claim();
    await here.confirm({ decisions: 1n });
    const there = open({ destination: 'there' });
    expect(await there.claim()).toBe(true);
    expect(await there.read(10)).toHaveLength(1);
    expect(await here.read(10)).toEqual([]);
  });

  it('omits a value that is too long, and notes it', async () => {
    await administer('large', 'x'.repeat(5000));
    const reader = open();
    await reader.claim();
    expect(await reader.read(10)).toMatchObject([{ action: { newValue: null, shortened: true } }]);
  });
});

describe('the turn', () => {
  it('belongs to one process at a time, and passes to another when its connection ends', async () => {
    const [one, two] = [open(), open()];
    expect([await one.claim(), await two.claim(), await one.claim()]).toEqual([true, false, true]);
    await expect(two.read(1)).rejects.toThrow('another process');
    one.close();
    await expect.poll(() => two.claim()).toBe(true);
    await expect(one.confirm({ decisions: 9n })).rejects.toThrow('another process');
    expect(await database.sql`select * from log_export_positions`).toHaveLength(0);
  });

  it('is lost with the connection, and nothing is confirmed without it', async () => {
    const proxy = await startFaultProxy(database.gatewayUrl);
    const reader = open({ address: parseDatabaseAddress(proxy.through(database.gatewayUrl)), budgetMs: 2000 });
    await reader.claim();
    proxy.cutAfter(0);
    await expect(reader.confirm({ decisions: 1n })).rejects.toThrow('not available');
    proxy.cutAfter(null);
    await expect(reader.confirm({ decisions: 1n })).rejects.toThrow('another process');
    await expect.poll(() => reader.claim()).toBe(true);
    await reader.confirm({ decisions: 1n });
    await proxy.close();
  });
});

describe('entries that are committed out of the order of their numbers', () => {
  /** A transaction that has stored an act and is still open. */
  async function begun(sql: Sql, session = 'late'): Promise<{ end(how: 'commit' | 'rollback'): Promise<void> }> {
    const connection = await sql.reserve();
    await connection`begin`;
    await connection`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      values (${uuid()}, ${session}, 'ada', now(), 'read', 'path', '/x', 'policy', 'succeeded')`;
    return {
      async end(how) {
        await connection.unsafe(how);
        connection.release();
      },
    };
  }
  const sessions = async (reader: LogReader): Promise<string[]> =>
    (await reader.read(10)).map((record) => (record.source === 'acts' ? record.act.session : ''));

  it('are waited for', async () => {
    const late = await begun(database.sql);
    await store(anAct({ session: 'early' }));
    const reader = open();
    await reader.claim();
    for (let round = 0; round < 3; round += 1) expect(await sessions(reader)).toEqual([]);
    await late.end('commit');
    await settled(() => sessions(reader), ['late', 'early']);
  });

  it('are not waited for once their transaction has failed', async () => {
    const late = await begun(database.sql);
    await store(anAct({ session: 'early' }));
    const reader = open();
    await reader.claim();
    expect(await sessions(reader)).toEqual([]);
    await late.end('rollback');
    await settled(() => sessions(reader), ['early']);
    await reader.confirm({ acts: 2n });
    expect(await sessions(reader)).toEqual([]);
  });

  it('delay no earlier entries', async () => {
    const first = await begun(database.sql);
    await store(anAct({ session: 'early' }));
    const reader = open();
    await reader.claim();
    expect(await sessions(reader)).toEqual([]);
    const second = await begun(database.sql, 'later'); // of another session, or it would wait for the first
    await first.end('commit');
    await settled(() => sessions(reader), ['late', 'early']);
    await second.end('rollback');
  });

  it('are all read once, in the order of their numbers, while many write at the same time', async () => {
    const reader = open();
    await reader.claim();
    const writers = Array.from({ length: 6 }, async (_, writer) => {
      for (let round = 0; round < 15; round += 1) await store(...[1, 2, 3].map(() => anAct({ session: `w${writer}` })));
    });
    const seen: bigint[] = [];
    while (seen.length < 6 * 15 * 3) {
      const records = await reader.read(50);
      seen.push(...records.map(({ position }) => position));
      const end = records.at(-1);
      if (end) await reader.confirm({ acts: end.position });
    }
    await Promise.all(writers);
    expect(await reader.read(50)).toEqual([]);
    expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => Number(a - b)));
  });
});

import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect, parseDatabaseAddress } from '../client/connect.ts';
import { type Administering, administering, createTestDatabase, type TestDatabase } from '../testing/index.ts';
import {
  oldestMonth,
  readExpiredDecisions,
  readExpiredRows,
  readExportedUpTo,
  recordArchive,
  type TableLog,
} from './owner.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
  await database.sql`
    insert into signing_keys (id, public_key, component) values ('key', 'public', 'gateway')`;
});
afterAll(() => database.drop());

const BEGIN = Date.UTC(2026, 0, 1);
const day = (n: number) => new Date(BEGIN + n * 86_400_000);

interface Entry {
  readonly day: number;
  readonly signed: boolean;
}
/** Replaces the decision log by these entries, the first with sequence 1. */
async function fill(entries: readonly Entry[]): Promise<void> {
  const { sql } = database;
  await sql`truncate authorization_decisions, authorization_decision_seals, log_archives`;
  const digest = Buffer.alloc(32, 7);
  for (const [place, entry] of entries.entries()) {
    await sql`
      insert into authorization_decisions (sequence, id, at, component, credential, permission, resource, outcome, reason, status,
        roles, previous, digest)
      values (${place + 1}, gen_random_uuid(), ${day(entry.day)}, 'gateway', 'none', 'p', 'r', 'granted', 'role', 200, '{}',
        ${digest}, ${digest})`;
    if (entry.signed) {
      await sql`
        insert into authorization_decision_seals (sequence, key_id, signature)
        values (${place + 1}, 'key', ${Buffer.from([place])})`;
    }
  }
}

describe('the decisions to archive', () => {
  const entry = fc.record({ day: fc.nat({ max: 6 }), signed: fc.boolean() });

  it('end at a signed entry, before every later instant, before the last entry, and at what was exported', async () => {
    const exported = fc.option(fc.nat({ max: 12 }));
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 10 }), fc.nat({ max: 7 }), exported, async (log, before, upTo) => {
        await fill(log);
        const kept = log.findIndex((one) => one.day >= before);
        const most = Math.min(kept === -1 ? log.length : kept, log.length - 1, upTo ?? log.length);
        const last = log.slice(0, Math.max(0, most)).findLastIndex(({ signed }) => signed) + 1;
        const found = await readExpiredDecisions(database.sql, day(before), upTo === null ? null : BigInt(upTo));
        expect(found && [found.after, found.last, found.seal.signature[0]]).toEqual(
          last === 0 ? null : [0n, BigInt(last), last - 1],
        );
      }),
      { numRuns: 40 },
    );
  });

  it('begin after the last archive, also while its entries are still in the database', async () => {
    await fill(Array.from({ length: 6 }, () => ({ day: 0, signed: true })));
    const first = await readExpiredDecisions(database.sql, day(1), 2n);
    const archive = { file: 'one', log: 'decisions', entries: 2, sha256: 'ab'.repeat(32) } as const;
    await administer((act) => recordArchive(act, archive, first));
    expect(await readExpiredDecisions(database.sql, day(1), null)).toMatchObject({ after: 2n, last: 5n });
    expect(await readExpiredDecisions(database.sql, day(1), 2n)).toBeNull();
  });
});

describe('the oldest month', () => {
  it.each(['decisions', 'usage', 'detections', 'acts'] as const)('of an empty log of %s is none', async (log) => {
    await fill([]);
    expect(await oldestMonth(database.sql, log)).toBeNull();
  });

  it.each([
    ['the first instant of a month', '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['the last instant of a year', '2025-12-31T23:59:59.999Z', '2025-12-01T00:00:00.000Z'],
  ])('is that of UTC: %s', async (_, at, month) => {
    const { sql } = database;
    await sql`truncate agent_acts`;
    await sql`
      insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
      select gen_random_uuid(), 's', 'ada', ${at}::text::timestamptz + n * interval '40 days', 't', 'path', '/', 'policy', 'succeeded'
      from generate_series(0, 2) n`;
    const elsewhere = connect(parseDatabaseAddress(database.ownerUrl), {
      max: 1,
      settings: { TimeZone: 'Asia/Tokyo' },
    });
    expect((await oldestMonth(elsewhere, 'acts'))?.toISOString()).toBe(month);
    await elsewhere.end();
  });

  it('of the decisions is the one after the last archive', async () => {
    await fill([0, 40, 80].map((n) => ({ day: n, signed: true })));
    expect(await oldestMonth(database.sql, 'decisions')).toEqual(new Date('2026-01-01T00:00:00.000Z'));
    const span = await readExpiredDecisions(database.sql, day(1), null);
    const archive = { file: 'one', log: 'decisions', entries: 1, sha256: 'ab'.repeat(32) } as const;
    await administer((act) => recordArchive(act, archive, span));
    expect(await oldestMonth(database.sql, 'decisions')).toEqual(new Date('2026-02-01T00:00:00.000Z'));
  });
});

it('an export is as far as its slowest collector', async () => {
  await database.sql`
    insert into log_export_positions (destination, source, position)
    values ('fast', 'acts', 90), ('slow', 'acts', 12), ('fast', 'decisions', 7)`;
  expect(await readExportedUpTo(database.sql, 'acts')).toBe(12n);
  expect(await readExportedUpTo(database.sql, 'decisions')).toBe(7n);
  expect(await readExportedUpTo(database.sql, 'detections')).toBeNull();
  expect(await readExportedUpTo(database.sql, 'usage')).toBeNull();
});

describe('the rows to archive', () => {
  const linesOf = async (log: TableLog, before: Date, upTo: bigint | null) => {
    const pages: string[][] = [];
    for await (const page of readExpiredRows(database.sql, log, before, upTo)) pages.push([...page]);
    return pages;
  };

  it('come oldest first and each once, in pages, however many there are', async () => {
    await database.sql`truncate request_logs`;
    await database.sql`
      insert into request_logs
      select gen_random_uuid(), ${day(0)}::timestamptz + (n % 1000) * interval '1 second', 'ada', 'e', 'm', gen_random_uuid(), 1, 1,
        1, 'reported', false from generate_series(1, 4500) n`;
    const pages = await linesOf('usage', day(1), null);
    expect(pages.map(({ length }) => length)).toEqual([2000, 2000, 500]);
    const rows = pages.flat().map((line) => JSON.parse(line) as { id: string; timestamp: string });
    expect(new Set(rows.map(({ id }) => id)).size).toBe(4500);
    const instants = rows.map(({ timestamp }) => Date.parse(timestamp));
    expect(instants).toEqual(instants.toSorted((one, other) => one - other));
  });

  it('are those before the instant, and of an exported log those that every collector has', async () => {
    const { sql } = database;
    await sql`truncate agent_acts restart identity`;
    for (const n of [0, 1, 2, 3]) {
      await sql`
        insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
        values (gen_random_uuid(), 's', 'ada', ${day(n)}, ${`tool ${n}`}, 'path', '/', 'policy', 'succeeded')`;
    }
    const tools = async (before: Date, upTo: bigint | null) =>
      (await linesOf('acts', before, upTo)).flat().map((line) => (JSON.parse(line) as { tool: string }).tool);
    expect(await tools(day(2), null)).toEqual(['tool 0', 'tool 1']);
    const [row] = await sql<{ number: bigint }[]>`select number from agent_acts where tool = 'tool 0'`;
    expect(await tools(day(4), row?.number ?? 0n)).toEqual(['tool 0']);
    expect(await tools(day(0), null)).toEqual([]);
  });

  it('are lines of JSON with every text as it was, each on one line', async () => {
    const { sql } = database;
    await sql`truncate agent_acts`;
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
        const target = `${text.replaceAll('\0', '')}\n"\\\u2028`;
        await sql`truncate agent_acts`;
        await sql`
          insert into agent_acts (id, session, subject, at, tool, target_kind, target_value, authorized_by, outcome)
          values (gen_random_uuid(), 's', 'ada', ${day(0)}, 't', 'command', ${target}, 'policy', 'succeeded')`;
        const [line = ''] = (await linesOf('acts', day(1), null)).flat();
        expect(line).not.toContain('\n');
        expect(JSON.parse(line)).toMatchObject({ target_value: target });
      }),
      { numRuns: 20 },
    );
  });

  it('release their connection where the reader stops early', async () => {
    const narrow = connect(parseDatabaseAddress(database.ownerUrl), { max: 1 });
    for (let turn = 0; turn < 3; turn += 1) {
      for await (const page of readExpiredRows(narrow, 'usage', day(1), null)) {
        expect(page).toHaveLength(2000);
        break;
      }
      expect(await narrow`select 1 as one`).toMatchObject([{ one: 1 }]);
    }
    await narrow.end();
  });
});

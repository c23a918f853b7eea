import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestConsole, type TestConsole } from '../../testing/console.ts';
import { parseRecordedValue } from './audit.ts';

// A writer that bypasses the product must not make a log unreadable: one corrupt entry would hide all others.
const ENTRIES = 6;
const SPOILT = 3;

let here: TestConsole;
beforeAll(async () => {
  here = await startTestConsole();
  for (let n = 0; n < ENTRIES; n += 1)
    await here.pair.create('/api/plans', { slug: `plan-${n}`, name: 'Plan', monthlyCap: n });
  const { sql } = here.database;
  await sql`alter table administration_actions disable trigger all`;
  const checks = await sql<{ name: string }[]>`
    select conname as name from pg_constraint where conrelid = 'administration_actions'::regclass and contype = 'c'`;
  for (const { name } of checks) await sql`alter table administration_actions drop constraint ${sql(name)}`;
  await sql`create table kept_actions as select * from administration_actions`;
});
beforeEach(async () => {
  await here.database.sql`delete from administration_actions`;
  await here.database.sql`insert into administration_actions select * from kept_actions`;
});
afterAll(() => here?.stop());

const list = async (query: string) => {
  const { status, json } = await here.pair.get(`/api/administration-actions?${query}`);
  expect(status, JSON.stringify(json)).toBe(200);
  return json as { administrationActions: { sequence: number; newValue: unknown }[]; next: string | null };
};
const descending = Array.from({ length: ENTRIES }, (_, n) => ENTRIES - n);

describe('an entry of the administration log that was spoilt', () => {
  it.each([
    ['a value that is no JSON', "new_value = 'not json'"],
    ['a value cut short', `new_value = '{"name":'`],
    ['a value nested beyond use', `new_value = repeat('[', 20000) || repeat(']', 20000)`],
    ['a value that brackets in a text make look deep', `new_value = '"' || repeat('[', 20000) || '"'`],
    ['a time without an end', "at = 'infinity'"],
    ['a time before every other', "at = '-infinity'"],
    ['a time that no calendar holds', "at = '290000-01-01'"],
    ['a year of five digits', "at = '12026-01-01'"],
    ['a digest of no bytes', "digest = ''"],
  ])('by %s is read with all the others, page by page and as a file, and is named', async (_, change) => {
    await here.database.sql.unsafe(`update administration_actions set ${change} where sequence = ${SPOILT}`);
    const whole = await list('limit=500');
    expect(whole.administrationActions.map(({ sequence }) => sequence)).toEqual(descending);
    const walked = async (period: string) => {
      const seen: number[] = [];
      for (let cursor: string | null = ''; cursor !== null && seen.length <= ENTRIES; ) {
        const page = await list(`${period}limit=1${cursor && `&cursor=${cursor}`}`);
        seen.push(...page.administrationActions.map(({ sequence }) => sequence));
        cursor = page.next;
      }
      return seen;
    };
    expect(await walked('')).toEqual(descending);
    // Sorted by instant, an entry is at its own time; an entry before the period is not requested.
    const others = descending.filter((sequence) => sequence !== SPOILT);
    expect(await walked('from=2000-01-01T00:00:00Z&')).toEqual(expect.arrayContaining(others));
    for (const format of ['csv', 'jsonl']) {
      const { status, text } = await here.pair.get(`/api/administration-actions?format=${format}`);
      expect(status).toBe(200);
      expect(text.trimEnd().split('\n')).toHaveLength(ENTRIES + (format === 'csv' ? 1 : 0));
    }
    const { text } = await here.pair.post('/api/audit/verification', { chain: 'administration-actions' });
    expect(JSON.parse(text.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ result: 'broken', sequence: SPOILT });
  });
});

describe('a recorded value', () => {
  it.each([
    ['{"a":[1,null,"x"]}', { a: [1, null, 'x'] }],
    ['null', null],
    [`"${'['.repeat(9000)}\\"${'{'.repeat(9000)}"`, `${'['.repeat(9000)}"${'{'.repeat(9000)}`],
    [JSON.stringify(Array.from({ length: 1000 }, () => [[]])), Array.from({ length: 1000 }, () => [[]])],
    ['', ''],
    ['{', '{'],
    ['['.repeat(9000), '['.repeat(9000)],
  ])('%.40s is parsed as JSON, else shown as text', (text, value) => {
    expect(parseRecordedValue(text)).toEqual(value);
  });
});

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violationOf } from '../client/conditions.ts';
import {
  type Administering,
  administering,
  allAtOnce,
  createTestDatabase,
  type TestDatabase,
} from '../testing/index.ts';
import { KEPT_LOGS, type KeptLog, readRetention, setRetention } from './owner.ts';

let database: TestDatabase;
let administer: Administering;
beforeAll(async () => {
  database = await createTestDatabase();
  administer = administering(database.sql);
});
afterAll(() => database.drop());

const set = (log: KeptLog, months: number | null) => administer((act) => setRetention(act, log, months));
const kept = async (log: KeptLog) => (await readRetention(database.sql)).find((one) => one.log === log)?.months;

describe('the retention of a log', () => {
  it('is without end until it is set, except for the results of engines', async () => {
    const months = Object.fromEntries((await readRetention(database.sql)).map((one) => [one.log, one.months]));
    expect(months).toEqual({ decisions: null, usage: null, detections: null, acts: null, results: 3 });
  });

  it('is set, changed and returned to the default, each recorded with the months before', async () => {
    const entries = [await set('usage', 12), await set('usage', 6), await set('usage', null)].flatMap(
      (one) => one.entries,
    );
    expect(entries.map(({ action, target, before, after }) => [action, target, before, after])).toEqual([
      ['log.retention', 'log:usage', null, { months: 12 }],
      ['log.retention', 'log:usage', { months: 12 }, { months: 6 }],
      ['log.retention', 'log:usage', { months: 6 }, null],
    ]);
    expect(await kept('usage')).toBeNull();
  });

  it('that stays the same is not recorded', async () => {
    expect(await set('acts', null)).toEqual({ result: false, entries: [] });
    await set('acts', 24);
    expect(await set('acts', 24)).toEqual({ result: false, entries: [] });
  });

  it.each(KEPT_LOGS)('of %s changes no other', async (log) => {
    const others = (await readRetention(database.sql)).filter((one) => one.log !== log);
    await set(log, 7);
    expect((await readRetention(database.sql)).filter((one) => one.log !== log)).toEqual(others);
    expect(await kept(log)).toBe(7);
    await set(log, null);
  });

  it.each([0, -1, 1201])('of %d months is refused, and the one before stays', async (months) => {
    await set('detections', 9);
    const refused = await set('detections', months).catch(violationOf);
    expect(refused).toEqual({ kind: 'check', constraint: 'log_retention_months_check' });
    expect(await kept('detections')).toBe(9);
  });

  it('that two administrators set at the same moment is recorded as one change after the other', async () => {
    await set('decisions', null);
    const lock = "select pg_advisory_xact_lock(hashtextextended('log_retention', 7331))";
    await allAtOnce(
      database.sql,
      lock,
      () => set('decisions', 5),
      () => set('decisions', 8),
    );
    const acts = await database.sql<{ before: { months: number } | null; after: { months: number } }[]>`
      select old_value::json as before, new_value::json as after from administration_actions
      where target = 'log:decisions' order by sequence desc limit 2`;
    acts.reverse();
    expect(acts.map(({ before }) => before)).toEqual([null, acts[0]?.after]);
    expect(await kept('decisions')).toBe(acts[1]?.after.months);
  });
});

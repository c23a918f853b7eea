import { expect, it } from 'vitest';
import { faultsOf, type LongReport } from './report.ts';
import { leastOf, middleOf, sampleOf } from './sample.ts';

const sample = { memoryMB: 100, handles: 40, threads: 12 };
const STABLE: LongReport = {
  seed: 1,
  minutes: 10,
  requests: 1000,
  statuses: { 200: 1000 },
  unlogged: 0,
  lostUsage: 0,
  gaps: 0,
  crossed: 0,
  examples: {},
  activities: { commands: { runs: 5, failures: 0 } },
  processes: { gateway: { noon: sample, midnight: sample } },
  revocationMs: { first: 400, second: 420 },
  metricsIntervalMs: { first: 15_000, second: 15_010 },
  tables: [{ table: 'usage_totals', liveRows: 3, deadRows: 60, vacuums: 4 }],
  notExported: 0,
};
const midnight = (change: Partial<typeof sample>) => ({
  processes: { gateway: { noon: sample, midnight: { ...sample, ...change } } },
});

it('a stable day has no fault', () => {
  expect(faultsOf(STABLE)).toEqual([]);
});

it.each<[Partial<LongReport>, RegExp]>([
  [{ crossed: 1 }, /disagree/],
  [midnight({ memoryMB: 140 }), /memory of the gateway grew/],
  [midnight({ handles: 60 }), /gateway keeps handles open/],
  [midnight({ threads: 30 }), /gateway keeps threads/],
  [{ activities: { commands: { runs: 5, failures: 2 } } }, /2 of 5 commands failed/],
  [{ activities: { commands: { runs: 0, failures: 0 } } }, /No commands was run/],
  [{ revocationMs: { first: 400, second: 900 } }, /longer in the second half/],
  [{ metricsIntervalMs: { first: 15_000, second: 19_200 } }, /timer of the metrics drifts/],
  [
    { tables: [{ table: 'usage_unsummed', liveRows: 10, deadRows: 5000, vacuums: 0 }] },
    /usage_unsummed was not vacuumed/,
  ],
  [{ notExported: 3 }, /3 decisions did not reach/],
])('%j is one', (change, expected) => {
  expect(faultsOf({ ...STABLE, ...change })).toEqual([expect.stringMatching(expected)]);
});

it('samples the resources of a process', () => {
  const { memoryMB, handles, threads } = sampleOf(process.pid);
  expect(memoryMB).toBeGreaterThan(10);
  expect(handles).toBeGreaterThan(3);
  expect(threads).toBeGreaterThan(1);
  expect(leastOf([sample, { ...sample, memoryMB: 90, handles: 50 }])).toEqual({ ...sample, memoryMB: 90 });
  expect([middleOf([]), middleOf([3, 1, 2])]).toEqual([0, 2]);
});

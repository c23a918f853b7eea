import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { liveDay } from './day.ts';

// The short form of `npm run long`: too short to see memory grow, long enough that everything runs beside everything else.
it('a day of mixed load loses nothing, and nothing fails in it', async () => {
  const hours: string[] = [];
  const report = await liveDay({
    minutes: 0.2,
    seed: Number(process.env['TEST_SEED'] ?? 20_261_124),
    commands: spawnSync('bwrap', ['--version']).status === 0,
    report: (line) => hours.push(line),
  });
  const { unlogged, lostUsage, gaps, crossed, examples, notExported, activities } = report;
  expect({ unlogged, lostUsage, gaps, crossed, notExported }, JSON.stringify(examples)).toEqual({
    unlogged: 0,
    lostUsage: 0,
    gaps: 0,
    crossed: 0,
    notExported: 0,
  });
  expect(
    Object.values(activities).every(({ runs, failures }) => runs > 0 && failures === 0),
    JSON.stringify(activities),
  ).toBe(true);
  expect(hours).toHaveLength(24);
  expect(report.statuses[200]).toBeGreaterThan(10);
}, 300_000);

import { expect, it } from 'vitest';
import { randomOf } from '../support/random.ts';
import { KINDS, verifyByCommand } from './command.ts';
import { caseOf, isSound, runTampering } from './suite.ts';

// The short form of `npm run tampering`.
it('detects each kind of tampering at every position of a log, and raises no alarm at untouched ones', async () => {
  const seed = Number(process.env['TEST_SEED'] ?? 20_261_124);
  const lines: string[] = [];
  const report = await runTampering({
    seed,
    entries: 200,
    cleanLogs: 20,
    checkpointEvery: 100,
    report: (line) => lines.push(line),
  });
  expect(report.kinds).toEqual(Object.fromEntries(KINDS.map((kind) => [kind, { positions: 200, detected: 200 }])));
  expect(report).toMatchObject({ falseAlarms: 0, cleanLogs: 20, seed });
  expect(report.cleanEntries).toBeGreaterThan(20);
  expect(isSound(report)).toBe(true);
  expect(lines).toEqual([...KINDS, '20 untouched logs']);
});

it('is unsound where one position goes undetected, or an untouched log raises an alarm', () => {
  const sound = { seed: 1, entries: 3, checkpointEvery: 3, cleanLogs: 1, cleanEntries: 3, falseAlarms: 0 };
  const kinds = { 'an edited entry': { positions: 3, detected: 3 } };
  expect(isSound({ ...sound, kinds })).toBe(true);
  expect(isSound({ ...sound, kinds, falseAlarms: 1 })).toBe(false);
  expect(isSound({ ...sound, kinds: { ...kinds, 'a fork': { positions: 3, detected: 2 } } })).toBe(false);
});

it('is detected by the command itself, which finds the untouched export intact', () => {
  const random = randomOf(20_261_124);
  expect(verifyByCommand(caseOf(40, random), 1, random, ['an edited entry', 'a fork'])).toEqual({
    positions: 2,
    detected: 2,
    isUntouchedIntact: true,
  });
});

import { expect, it } from 'vitest';
import { describeTimes, overBudget } from './test-times.ts';

const file = (name: string, seconds: number, processorSeconds = seconds) => ({
  project: name.slice(0, 1),
  file: name,
  seconds,
  processorSeconds,
});

it('names the ten slowest files, and every one above ten seconds', () => {
  const quick = Array.from({ length: 30 }, (_, at) => file(`q${at}`, at / 10));
  expect(describeTimes(quick)).toHaveLength(1 + 10 + 1 + 1);
  const slow = Array.from({ length: 12 }, (_, at) => file(`s${at}`, 11 + at));
  const lines = describeTimes([...quick, ...slow]);
  expect(lines.filter((line) => line.includes(' s  '))).toHaveLength(12);
  expect(lines[1]).toBe('    22.0 s  s11');
});

it('fails a project that took half more than its budget, and no other', () => {
  const times = [file('a1', 1, 10), file('a2', 1, 5.1), file('b1', 1, 15), file('c1', 1, 999)];
  expect(overBudget(times, { a: 10, b: 10 })).toEqual([
    'The tests of "a" took 15 processor seconds; their budget is 10. Make the slowest files quicker, or raise the budget in toolchain/test-times.ts with a reason.',
  ]);
});

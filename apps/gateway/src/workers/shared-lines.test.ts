import { expect, it } from 'vitest';
import { createSharedReport } from './shared-lines.ts';

function reporting() {
  const lines: string[] = [];
  const clock = { now: 0 };
  const report = createSharedReport(
    (line, level) => lines.push(`${level ?? 'warning'} ${line}`),
    () => clock.now,
  );
  return { lines, clock, report };
}

it('logs a line of several processes once, and a repeated line of one process again', () => {
  const { lines, report } = reporting();
  for (const source of [0, 1, 2]) report(source, 'the database fails', 'error');
  report(1, 'another line');
  report(0, 'the database fails', 'error');
  expect(lines).toEqual(['error the database fails', 'warning another line', 'error the database fails']);
});

it('takes the same line of another process for news after a minute', () => {
  const { lines, clock, report } = reporting();
  report(1, 'a');
  clock.now = 59_999;
  report(2, 'a');
  clock.now = 60_000;
  report(2, 'a');
  expect(lines).toEqual(['warning a', 'warning a']);
});

it('remembers a bounded number of lines', () => {
  const { lines, report } = reporting();
  for (let number = 0; number <= 1000; number += 1) report(1, String(number));
  report(2, '0'); // expired
  report(2, '1000');
  expect(lines).toHaveLength(1002);
});

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createRecurringFault, type RecurringFault } from './report.ts';

const LINE = 'a record could not be kept: Error: ENOSPC';
let lines: string[];
let fault: RecurringFault;
beforeEach(() => {
  vi.useFakeTimers();
  lines = [];
  fault = createRecurringFault('a record could not be kept', (line) => lines.push(line));
});
afterEach(() => {
  vi.useRealTimers();
});

function occur(times: number): void {
  for (let time = 0; time < times; time += 1) fault.report(new Error('ENOSPC'));
}
const newLines = (): string[] => lines.splice(0);

it('is logged immediately, then once a minute with its count, and at the end with the rest', () => {
  occur(1);
  expect(newLines()).toEqual([LINE]);
  occur(998);
  vi.advanceTimersByTime(59_999);
  occur(1);
  expect(newLines()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(newLines()).toEqual([`${LINE} (999 times since the last report)`]);
  occur(2);
  fault.settle();
  fault.settle();
  expect(newLines()).toEqual(['a record could not be kept: 2 times more before the end']);
});

it('that occurs a second time only is logged a minute after the first', () => {
  occur(2);
  expect(newLines()).toEqual([LINE]);
  vi.advanceTimersByTime(60_000);
  expect(newLines()).toEqual([`${LINE} (once since the last report)`]);
});

it('that stays away for a minute is logged like the first one', () => {
  occur(1);
  vi.advanceTimersByTime(60_000);
  expect(newLines()).toEqual([LINE]);
  occur(1);
  expect(newLines()).toEqual([LINE]);
});

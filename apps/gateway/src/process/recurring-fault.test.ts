import { expect, it } from 'vitest';
import { createRecurringFault } from './recurring-fault.ts';

it('is logged immediately, then once a minute with its count, and at the end with the rest', () => {
  const lines: string[] = [];
  let now = 1000;
  const fault = createRecurringFault(
    'a record could not be kept',
    (line) => lines.push(line),
    () => now,
  );
  const met = (times: number): void => {
    for (let time = 0; time < times; time += 1) fault.report(new Error('ENOSPC'));
  };
  met(1);
  expect(lines).toEqual(['a record could not be kept: Error: ENOSPC']);
  met(998);
  now += 59_999;
  met(1);
  expect(lines).toHaveLength(1);
  now += 1;
  met(1);
  expect(lines.slice(1)).toEqual(['a record could not be kept: Error: ENOSPC (1000 times since the last report)']);
  met(2);
  fault.settle();
  fault.settle();
  expect(lines.slice(2)).toEqual(['a record could not be kept: 2 times more before the end']);
  // After a long interval, each fault is logged like the first one.
  now += 60_000;
  met(1);
  expect(lines.slice(3)).toEqual(['a record could not be kept: Error: ENOSPC']);
});

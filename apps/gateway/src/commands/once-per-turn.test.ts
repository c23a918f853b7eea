import { expect, it } from 'vitest';
import { oncePerTurn } from './processes.ts';

it('reads once a turn, and again in the next one', () => {
  let reads = 0;
  const due: (() => void)[] = [];
  const read = oncePerTurn(
    () => (reads += 1),
    (work) => due.push(work),
  );
  expect([read(), read(), due.length]).toEqual([1, 1, 1]);
  due.shift()?.();
  expect([read(), read(), due.length]).toEqual([2, 2, 1]);
});
it('knows the turns of the event loop', async () => {
  let reads = 0;
  const read = oncePerTurn(() => (reads += 1));
  expect([read(), await Promise.resolve().then(read)]).toEqual([1, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(read()).toBe(2);
});
it('keeps nothing of what could not be read', () => {
  let fails = true;
  const read = oncePerTurn(() => {
    if (fails) throw new Error('unreadable');
    return 'read';
  });
  expect(read).toThrow('unreadable');
  fails = false;
  expect(read()).toBe('read');
});

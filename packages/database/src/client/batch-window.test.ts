import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createBatchWindow } from './batch-window.ts';

/** Turns of the loop until the batch leaves; `arrivals` lists the new queries of each turn. */
async function turnsUntilLeaving(first: number, ...arrivals: readonly number[]): Promise<number> {
  let waiting = first;
  let turns = 0;
  const left = new Promise<number>((resolve) => {
    createBatchWindow(
      () => waiting,
      () => resolve(turns + 1),
    )();
  });
  for (; turns < 10; turns += 1) {
    await turn();
    waiting += arrivals[turns] ?? 0;
  }
  return left;
}

it('a single query leaves after a turn without another', async () => {
  expect(await turnsUntilLeaving(1)).toBe(2);
});

it('a batch waits while every turn adds more', async () => {
  expect(await turnsUntilLeaving(1, 1)).toBe(3);
});

it('but for a few turns only', async () => {
  expect(await turnsUntilLeaving(1, 1, 1, 1, 1, 1, 1)).toBe(4);
});

it('and not at all where there is enough of it', async () => {
  expect(await turnsUntilLeaving(16)).toBe(1);
});

it('nothing waits: it leaves at the end of the turn', async () => {
  expect(await turnsUntilLeaving(0)).toBe(1);
});

it('a window may be used again', async () => {
  const left: number[] = [];
  let done = Promise.withResolvers<void>();
  const begin = createBatchWindow(
    () => 16,
    () => {
      left.push(left.length);
      done.resolve();
    },
  );
  for (let round = 0; round < 3; round += 1) {
    done = Promise.withResolvers<void>();
    begin();
    await done.promise;
  }
  expect(left).toEqual([0, 1, 2]);
});

import { expect, it } from 'vitest';
import { atOnce, inSlices, type Sliced } from './sliced.ts';

function* counting(to: number, step: () => void = () => {}): Sliced<number> {
  let sum = 0;
  for (let number = 1; number <= to; number += 1) {
    sum += number;
    step();
    yield;
  }
  return sum;
}

it('gives the same result in one run and in slices', async () => {
  expect(atOnce(counting(100))).toBe(5050);
  expect(await inSlices(counting(100))).toBe(5050);
});

it('lets other work run in between', async () => {
  let turns = 0;
  const others = setInterval(() => {
    turns += 1;
  }, 0);
  const busy = () => {
    const end = performance.now() + 2;
    while (performance.now() < end);
  };
  await inSlices(counting(30, busy));
  clearInterval(others);
  expect(turns).toBeGreaterThan(3);
});

it('passes on what the calculation throws', async () => {
  function* failing(): Sliced<never> {
    yield;
    throw new Error('no luck');
  }
  await expect(inSlices(failing())).rejects.toThrow('no luck');
});

import { expect, it } from 'vitest';
import { Turns } from '../../process/turns.ts';
import { PacedInput } from './paced.ts';

/** An event loop whose turns a test runs one by one, and whose time share is used up. */
function startTurns() {
  const next: (() => void)[] = [];
  let milliseconds = 0;
  const turns = new Turns({
    now: () => (milliseconds += 10),
    nextTurn: (work) => void next.push(work),
  });
  turns.now(() => {});
  return { turns, turn: () => next.shift()?.() };
}

it('what arrived with the end of an answer is taken in one turn with it, however busy the loop is', () => {
  const { turns, turn } = startTurns();
  const taken: (number | 'end')[] = [];
  const input = new PacedInput(
    {
      take: (piece) => taken.push(piece.length) > 0,
      resume: () => {},
      fail: (error) => expect.unreachable(String(error)),
    },
    turns,
  );
  expect(input.push(Buffer.alloc(20_000))).toBe(false);
  input.finish(() => (taken.push('end'), null));
  expect(taken).toEqual([]);
  turn();
  turn();
  expect(taken).toEqual([20_000, 'end']);
});

it('a long answer is taken in pieces, a turn each', () => {
  const { turns, turn } = startTurns();
  const taken: number[] = [];
  const input = new PacedInput(
    {
      take: (piece) => taken.push(piece.length) > 0,
      resume: () => {},
      fail: (error) => expect.unreachable(String(error)),
    },
    turns,
  );
  input.push(Buffer.alloc(1_000_000));
  for (let one = 0; one < 4; one += 1) turn();
  expect(taken.length).toBeGreaterThan(0);
  expect(taken.length).toBeLessThanOrEqual(4);
  expect(Math.max(...taken)).toBeLessThanOrEqual(64 * 1024);
});

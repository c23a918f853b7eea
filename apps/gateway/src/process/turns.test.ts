import { describe, expect, it } from 'vitest';
import { Turns } from './turns.ts';

/** A loop whose turns and clock the test moves. */
function staged() {
  let [time, next]: [number, (() => void)[]] = [0, []];
  const turns = new Turns({ now: () => time, nextTurn: (work) => next.push(work) });
  const done: string[] = [];
  const work = (name: string, milliseconds: number) => () => {
    time += milliseconds;
    done.push(name);
  };
  return {
    turns,
    done,
    work,
    /** What was done in the next turn. */
    turn: () => {
      const [due, before] = [next, done.length];
      next = [];
      for (const one of due) one();
      return done.slice(before);
    },
    isIdle: () => next.length === 0,
  };
}

describe('the share of a turn', () => {
  it('is used immediately until it is used up', () => {
    const { turns, done, work, turn } = staged();
    expect(turns.now(work('a', 0.4))).toBe(true);
    expect(turns.now(work('b', 3))).toBe(true);
    expect(turns.now(work('c', 0))).toBe(false);
    expect(done).toEqual(['a', 'b']);
    turn();
    expect(turns.now(work('c', 0))).toBe(true);
  });
  it('goes to queued work first, each turn as much as fits and at least one', () => {
    const { turns, work, turn, isIdle } = staged();
    for (const name of ['a', 'b', 'c']) turns.later(work(name, 0.6));
    turns.later(work('long', 50));
    turns.later(work('last', 0));
    expect(turns.now(work('pushes in', 0))).toBe(false);
    expect([turn(), turn(), turn()]).toEqual([['a', 'b'], ['c', 'long'], ['last']]);
    turn();
    expect(isIdle()).toBe(true);
  });
  it('counts what is done directly after those in line', () => {
    const { turns, work, turn } = staged();
    turns.later(work('waited', 0.6));
    expect(turn()).toEqual(['waited']);
    expect(turns.now(work('direct', 0.6))).toBe(true);
    expect(turns.now(work('too many', 0))).toBe(false);
  });
  it('gives each its turn before any has two', () => {
    const { turns, work, turn, done } = staged();
    const again = (name: string) => () => {
      work(name, 2)();
      if (done.length < 7) turns.later(again(name));
    };
    for (const name of ['a', 'b', 'c']) turns.later(again(name));
    while (turn().length > 0);
    expect(done).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });
  it('continues after a failure', () => {
    const { turns, work, turn, done } = staged();
    turns.later(() => {
      throw new Error('no');
    });
    turns.later(work('next', 0));
    expect(turn).toThrow('no');
    expect(turn()).toEqual(['next']);
    expect(done).toEqual(['next']);
  });
  it('is of the runtime’s own turns where no other loop is given', async () => {
    const turns = new Turns();
    const order: string[] = [];
    await new Promise<void>((resolve) => {
      turns.later(() => order.push('line'));
      setImmediate(() => order.push('turn'));
      setImmediate(resolve);
    });
    expect(order).toEqual(['line', 'turn']);
  });
});

import { describe, expect, it } from 'vitest';
import { compareSpent, compareTimes } from './comparison.ts';
import type { Spent } from './measure.ts';

const spent = (wallMs: number, processorMs = wallMs): Spent => ({ wallMs, processorMs });
/** Answers one after another, by tool. */
function answers<Value>(all: Readonly<Record<string, readonly Value[]>>) {
  const turns: string[] = [];
  return {
    turns,
    next: (tool: string): Promise<Value> => {
      turns.push(tool);
      const value = all[tool]?.[turns.filter((turn) => turn === tool).length - 1];
      return value === undefined ? Promise.reject(new Error(`${tool} showed nothing`)) : Promise.resolve(value);
    },
  };
}

describe('programs that are measured beside a base', () => {
  it('take turns, so that a machine whose speed drifts slows all of them alike', async () => {
    const all = answers({ node: Array(3).fill(spent(1)), gw: Array(3).fill(spent(1)), other: Array(3).fill(spent(1)) });
    await compareSpent('node', ['gw', 'other'], 2, all.next);
    expect(all.turns).toEqual(['node', 'gw', 'other', 'node', 'gw', 'other', 'node', 'gw', 'other']);
  });

  it('are multiples of the base in the same round; the first round, with cold caches, does not count', async () => {
    const all = answers({
      node: [spent(1), spent(10, 5), spent(100, 50), spent(10, 5)],
      gw: [spent(900), spent(20, 15), spent(200, 150), spent(50, 20)],
    });
    const multiples = await compareSpent('node', ['gw'], 3, all.next);
    expect(multiples.get('gw')).toEqual({ wall: 2, processor: 3 });
  });

  it('are compared with a millisecond where the base took less processor time', async () => {
    const all = answers({ node: [spent(1), spent(10, 0)], gw: [spent(1), spent(10, 4)] });
    expect((await compareSpent('node', ['gw'], 1, all.next)).get('gw')).toEqual({ wall: 1, processor: 4 });
  });

  it('end with the fault of a program that has no times', async () => {
    const all = answers({ node: [spent(1)] });
    await expect(compareSpent('node', ['gw'], 1, all.next)).rejects.toThrow('gw showed nothing');
  });
});

describe('times that are measured beside a base', () => {
  it('are multiples of the base in the same round', async () => {
    const all = answers({ node: [1, 10, 20, 10], gw: [500, 30, 60, 10] });
    const { multiples, faults } = await compareTimes('node', ['gw'], 3, all.next);
    expect(multiples.get('gw')).toBe(3);
    expect(faults).toEqual([]);
  });

  it('leave a program out once it failed, keep its message, and go on with the others', async () => {
    const all = answers({ node: [1, 1, 1], gw: [2, 2, 2], broken: [2] });
    const { multiples, faults } = await compareTimes('node', ['broken', 'gw'], 2, all.next);
    expect(faults).toEqual(['broken showed nothing']);
    expect(all.turns.filter((turn) => turn === 'broken')).toHaveLength(2);
    expect(multiples.get('gw')).toBe(2);
    expect(multiples.get('broken')).toBeNaN();
  });

  it('end where the base itself fails: nothing could be compared with it', async () => {
    await expect(compareTimes('node', ['gw'], 1, answers({ gw: [1, 1] }).next)).rejects.toThrow('node showed nothing');
  });
});

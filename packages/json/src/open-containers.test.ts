import { array, assert, constantFrom, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OpenContainers } from './grammar.ts';

/** Opens as many levels; objects and arrays follow a pattern that no power of two divides. */
const isObjectAt = (level: number): boolean => level % 7 < 3 || level % 11 === 5;

function nested(levels: number): OpenContainers {
  const open = new OpenContainers();
  for (let level = 0; level < levels; level++) open.open(isObjectAt(level));
  return open;
}

describe('the open containers', () => {
  it('are none at first', () => {
    const open = new OpenContainers();
    expect([open.depth, open.isObject]).toEqual([0, false]);
  });

  it.each([1, 29, 30, 31, 32, 37, 38, 39, 255, 1053, 1054, 1055, 2078, 2079, 100_000])(
    'are all known again while %d levels close',
    (levels) => {
      const open = nested(levels);
      const wrong: number[] = [];
      for (let level = levels - 1; level >= 0; level--) {
        if (open.isObject !== isObjectAt(level)) wrong.push(level);
        open.close();
      }
      expect(wrong).toEqual([]);
      expect([open.depth, open.isObject]).toEqual([0, false]);
    },
  );

  it('are what a list of them says, for any order of opening and closing', () => {
    const step = constantFrom('object', 'object', 'array', 'array', 'close');
    assert(
      property(array(step, { maxLength: 400, size: 'max' }), (steps) => {
        const open = new OpenContainers();
        const list: boolean[] = [];
        for (const name of steps) {
          if (name !== 'close') {
            open.open(name === 'object');
            list.push(name === 'object');
          } else if (list.length > 0) {
            open.close();
            list.pop();
          }
          expect([open.depth, open.isObject]).toEqual([list.length, list.at(-1) ?? false]);
        }
      }),
    );
  });

  it('are none after a fault, however many were open', () => {
    for (const levels of [0, 3, 30, 31, 5000]) {
      const open = nested(levels);
      open.clear();
      expect([open.depth, open.isObject]).toEqual([0, false]);
    }
  });

  it('take nothing over from those that were open before at the same level', () => {
    const open = nested(2000);
    open.clear();
    const unchanged: number[] = [];
    for (let level = 0; level < 2000; level++) {
      open.open(!isObjectAt(level));
      if (open.isObject === isObjectAt(level)) unchanged.push(level);
    }
    expect(unchanged).toEqual([]);
  });
});

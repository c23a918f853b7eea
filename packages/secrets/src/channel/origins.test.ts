import { array, assert, integer, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Origins } from './origins.ts';

describe('origins', () => {
  it('are the indices themselves while every byte is a character', () => {
    const origins = new Origins();
    for (let index = 1; index <= 5000; index++) origins.set(index, index);
    expect([origins.of(0), origins.of(4999)]).toEqual([0, 4999]);
    origins.drop(4000, 5000);
    expect([origins.of(0), origins.of(1000)]).toEqual([4000, 5000]);
  });

  it('equal those of a plain list, for any sequence of operations', () => {
    const step = record({
      units: array(integer({ min: 0, max: 6 }), { maxLength: 40 }),
      counted: integer({ min: 0, max: 1500 }),
      dropped: integer({ min: 0, max: 60 }),
    });
    assert(
      property(array(step, { maxLength: 8 }), (steps) => {
        const origins = new Origins();
        const list = [0];
        for (const { units, counted, dropped } of steps) {
          for (const unit of units) {
            list.push((list.at(-1) ?? 0) + unit);
            origins.set(list.length - 1, list.at(-1) ?? 0);
          }
          const from = list.length - 1;
          for (let more = 0; more < counted; more++) list.push((list.at(-1) ?? 0) + 1);
          origins.count(from, list.length - 1);
          const bytes = Math.min(dropped, list.length - 1);
          origins.drop(bytes, list.length - 1);
          list.splice(0, bytes);
          expect(list.map((_, index) => origins.of(index))).toEqual(list);
        }
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import { viewOf } from '../testing/view.ts';
import { charset } from '../text/charset.ts';
import { FOUND, MORE, View } from './view.ts';

const LETTERS = charset('a-z');

describe('a view', () => {
  it('reads zero outside the text', () => {
    const view = viewOf('ab');
    expect([view.at(-1), view.at(0), view.at(1), view.at(2)]).toEqual([0, 0x61, 0x62, 0]);
    view.floor = 1;
    expect(view.at(0)).toBe(0);
  });

  it('waits after its end while more may arrive', () => {
    expect(viewOf('ab', false).waits(2)).toBe(true);
    expect(viewOf('ab', false).waits(1)).toBe(false);
    expect(viewOf('ab').waits(2)).toBe(false);
  });

  it('finds the ends of runs, and no farther than the limit', () => {
    const view = viewOf('12abc34');
    expect(view.runEnd(LETTERS, 2, 9)).toBe(5);
    expect(view.runEnd(LETTERS, 2, 2)).toBe(4);
    expect(view.runEnd(LETTERS, 0, 9)).toBe(0);
    expect(view.runStart(LETTERS, 5, 9)).toBe(2);
    expect(view.runStart(LETTERS, 5, 2)).toBe(3);
    view.floor = 4;
    expect(view.runStart(LETTERS, 5, 9)).toBe(4);
  });

  it('compares letters', () => {
    const view = viewOf('a token');
    expect([view.spells('token', 2), view.spells('token', 1), view.spells('tokens', 2)]).toEqual([true, false, false]);
    expect([view.spelled('tops', 2), view.spelled('token', 2), view.spelled('x', 2)]).toEqual([2, 5, 0]);
    expect(view.text(2, 7)).toBe('token');
  });

  it('finds the beginning of a character', () => {
    const view = new View();
    view.bytes = Buffer.from('aé€🔑b');
    view.end = view.bytes.length;
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((at) => view.characterStart(at))).toEqual([
      0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10,
    ]);
  });

  it('keeps the answer of a check', () => {
    const view = viewOf('abc');
    expect(view.found(1, 2)).toBe(FOUND);
    expect([view.from, view.to, view.tail]).toEqual([1, 2, null]);
    expect(view.more(2)).toBe(MORE);
    expect(view.hold).toBe(2);
  });

  it('forgets its first bytes', () => {
    const view = viewOf('abcdef');
    view.drop(2);
    expect(view.end).toBe(4);
    expect(view.text(0, 4)).toBe('cdef');
  });
});

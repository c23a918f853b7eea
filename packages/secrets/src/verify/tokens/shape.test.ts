import { describe, expect, it } from 'vitest';
import { viewOf } from '../../testing/view.ts';
import { EVIDENCE, FOUND, MORE, NO } from '../view.ts';
import { compileShape, matchShape, startOf } from './shape.ts';

function match(form: string, text: string, final = true) {
  const shape = compileShape(form);
  const view = viewOf(text, final);
  const verdict = matchShape(shape, view, text.indexOf(shape.keyword));
  return { verdict, value: text.slice(view.from, view.to), hold: view.hold, tail: view.tail };
}

describe('compileShape', () => {
  it.each([
    ['ghp_[A-Za-z0-9]{36}', 'ghp_', true],
    ['[A-Za-z0-9]{14}<.atlasv1.>[A-Za-z0-9]{60,70}', '.atlasv1.', true],
    ['AccountKey=^[A-Za-z0-9+/]{86}==', 'AccountKey=', false],
  ])('%s is looked for by %s', (form, keyword, inclusive) => {
    expect(compileShape(form)).toMatchObject({ keyword, inclusive });
  });

  it.each([
    ['a[b-c]{2}', 'no literal to look for'],
    ['[A-Z]{4}', 'no literal to look for'],
    ['ab[c-e]', 'a class without a count'],
    ['ab[c-e', 'a class without a count'],
    ['ab[a-z]{2,9}xyz', 'would need to go back'],
    ['ab[a-z]{2,9}[x-z]{3}', 'would need to go back'],
    ['a[a-z0-9]{2,9}<live_>[a-z]{9}', 'would need to go back'],
  ])('refuses %s: %s', (form, reason) => {
    expect(() => compileShape(form)).toThrow(reason);
  });
});

describe('matchShape', () => {
  const FORM = 'ab_[a-z]{4,6}-[0-9]{3}';

  it.each(['ab_wxyz-123', 'ab_wxyzvu-123'])('finds %s', (value) => {
    expect(match(FORM, `x ${value} y`)).toMatchObject({ verdict: FOUND, value, tail: null });
  });

  it.each([
    'ab_wxy-123',
    'ab_wxyzvut-123',
    'ab_wxyz123',
    'ab_wxyz-12',
    'ab_wxyz-1234',
    'ab_wxyz-123a',
    'ab_wxyz-123_',
    'zab_wxyz-123',
    '_ab_wxyz-123',
    'ab_WXYZ-123',
  ])('finds nothing in %s', (text) => {
    expect(match(FORM, text).verdict).toBe(NO);
  });

  it('respects the case of the keyword', () => {
    expect(matchShape(compileShape(FORM), viewOf('AB_wxyz-123'), 0)).toBe(NO);
  });

  it('includes the text before the keyword, and begins there', () => {
    const form = '[a-z0-9]{4}<.mid.>[a-z]{3}';
    expect(match(form, 'x ab12.mid.xyz')).toMatchObject({ verdict: FOUND, value: 'ab12.mid.xyz' });
    expect(match(form, 'x ab1.mid.xyz').verdict).toBe(NO);
    expect(match(form, 'xxab12.mid.xyz').verdict).toBe(NO);
    expect(match('https://<h.example/>[a-z]{3}', 'https://h.example/abc')).toMatchObject({
      value: 'https://h.example/abc',
    });
    expect(match('https://<h.example/>[a-z]{3}', 'http://h.example/abc').verdict).toBe(NO);
  });

  it('begins after what only announces the value', () => {
    expect(match('Key=^[a-z]{4}==', 'x;Key=abcd==;')).toMatchObject({ verdict: FOUND, value: 'abcd==' });
    expect(match('ab_[a-z^]{4}', 'x ab_c^de')).toMatchObject({ verdict: FOUND, value: 'ab_c^de' });
  });

  it('leaves the full stop that ends the sentence', () => {
    expect(match('ab_[a-z.]{3,9}', 'it is ab_xyz.')).toMatchObject({ verdict: FOUND, value: 'ab_xyz' });
  });

  it('decides a long value by its beginning', () => {
    const { verdict, value, tail } = match('ab_[a-z]{3,900}', `ab_${'xyz'.repeat(200)}`, false);
    expect([verdict, value.length, tail?.type]).toEqual([FOUND, EVIDENCE, 'run']);
  });

  it('waits at the end of an unfinished text, and delays the value from its beginning', () => {
    for (const text of ['x ab_', 'x ab_wx', 'x ab_wxyz', 'x ab_wxyz-', 'x ab_wxyz-12', 'x ab_wxyz-123']) {
      expect(match(FORM, text, false)).toMatchObject({ verdict: MORE, hold: 2 });
      expect(match(FORM, text).verdict).toBe(text.endsWith('123') ? FOUND : NO);
    }
  });
});

describe('startOf', () => {
  it('returns where a token with a keyword at a position would begin, or that none can', () => {
    const start = startOf(compileShape('[a-z0-9]{4}<.mid.>[a-z]{3}'));
    expect(start(viewOf('x ab12.mid'), 6)).toBe(2);
    expect(start(viewOf('x b12.mid'), 5)).toBe(-1);
    const plain = startOf(compileShape('ab_[a-z]{4}'));
    expect(plain(viewOf('x ab'), 2)).toBe(2);
    expect(plain(viewOf('xab'), 1)).toBe(-1);
  });
});

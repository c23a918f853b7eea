import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changed, fragmentOf, fromTheFirstPage, type Place, placeOf } from './place.ts';

const wordsOf = (fragment: string) => Object.fromEntries(placeOf(fragment).words);

describe('a location in the console', () => {
  it.each([
    ['', '', '', {}],
    ['#', '', '', {}],
    ['#audit', 'audit', '', {}],
    ['#audit/verification', 'audit', 'verification', {}],
    ['#audit/verification/deeper', 'audit', 'verification', {}],
    ['#audit?subject=ada', 'audit', '', { subject: 'ada' }],
    [
      '#audit/decisions?subject=ada+l.&outcome=refused',
      'audit',
      'decisions',
      { subject: 'ada l.', outcome: 'refused' },
    ],
    ['#?subject=ada', '', '', { subject: 'ada' }],
    ['#usage?period=day?period=week', 'usage', '', { period: 'day?period=week' }],
  ])('%s', (fragment, tab, part, words) => {
    const place = placeOf(fragment);
    expect([place.tab, place.part, Object.fromEntries(place.words)]).toEqual([tab, part, words]);
  });
  it.each([
    ['#users?search=', {}],
    ['#users?search=%00', {}],
    ['#users?search=a%0ab', {}],
    ['#users?search=%E0%A4%A', { search: '\u{fffd}%A' }],
    ['#users?search=ada&search=mallory', { search: 'ada' }],
    [`#users?search=${'a'.repeat(8001)}`, {}],
    ['#users?__proto__=x&constructor=y', { ['__proto__']: 'x', constructor: 'y' }],
    ['#users?%', {}],
  ])('ignores invalid parts: %.40s', (fragment, words) => {
    expect(Object.entries(wordsOf(fragment))).toEqual(Object.entries(words));
  });
  it('parses its own output, and never fails on other input', () => {
    const printable = fc
      .string({ minLength: 1, maxLength: 40, unit: 'binary' })
      .filter((text) => !/\p{Cc}/u.test(text));
    const name = fc.stringMatching(/^[a-z-]{1,12}$/);
    const place = fc.record({ tab: name, part: name, words: fc.array(fc.tuple(name, printable)) });
    fc.assert(
      fc.property(place, fc.string({ unit: 'binary' }), ({ tab, part, words }, other) => {
        const written: Place = { tab, part, words: new Map(words) };
        expect(placeOf(`#${fragmentOf(written)}`)).toEqual(written);
        expect(() => placeOf(other)).not.toThrow();
      }),
      { verbose: true },
    );
  });
});

describe('words', () => {
  const words = new Map([
    ['subject', 'ada'],
    ['page', '3'],
    ['at', 'x'],
    ['models.page', '2'],
    ['rows', '100'],
    ['homepage', 'y'],
  ]);
  it('are changed one by one, and removed by an empty value', () => {
    expect([...changed(words, { subject: 'alan', at: null, page: '', new: 'z' }).keys()]).toEqual([
      'subject',
      'models.page',
      'rows',
      'homepage',
      'new',
    ]);
    expect(words.get('subject')).toBe('ada');
  });
  it('lose their pages where something else is chosen', () => {
    expect([...fromTheFirstPage(words).keys()]).toEqual(['subject', 'rows', 'homepage']);
  });
});

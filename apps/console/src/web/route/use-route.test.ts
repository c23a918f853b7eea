import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, fromTheFirstPage, parseRoute, type Route, withChanges } from './use-route.ts';

const wordsOf = (fragment: string) => Object.fromEntries(parseRoute(fragment).params);

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
    const route = parseRoute(fragment);
    expect([route.tab, route.part, Object.fromEntries(route.params)]).toEqual([tab, part, words]);
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
    const route = fc.record({ tab: name, part: name, words: fc.array(fc.tuple(name, printable)) });
    fc.assert(
      fc.property(route, fc.string({ unit: 'binary' }), ({ tab, part, words }, other) => {
        const written: Route = { tab, part, params: new Map(words) };
        expect(parseRoute(`#${formatRoute(written)}`)).toEqual(written);
        expect(() => parseRoute(other)).not.toThrow();
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
    expect([...withChanges(words, { subject: 'alan', at: null, page: '', new: 'z' }).keys()]).toEqual([
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

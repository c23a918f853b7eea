import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pluralize, wrap } from './pluralize.ts';

it.each([
  [0, '0 files'],
  [1, '1 file'],
  [2, '2 files'],
])('%i is named with its noun: %s', (count, text) => {
  expect(pluralize(count, 'file')).toBe(text);
});

it('a noun may have a plural of its own', () => {
  expect([1, 2].map((count) => pluralize(count, 'entry', 'entries'))).toEqual(['1 entry', '2 entries']);
});

const WORDS = 'The report says what this client finds on this machine.';

describe('a line for a terminal', () => {
  it('is unchanged if it fits, and without a terminal', () => {
    expect(wrap(WORDS, null)).toBe(WORDS);
    expect(wrap(WORDS, WORDS.length)).toBe(WORDS);
    expect(wrap('', 80)).toBe('');
  });

  it('is broken between words', () => {
    expect(wrap(WORDS, 40).split('\n')).toEqual(['The report says what this client finds', 'on this machine.']);
    for (const columns of [20, 24, 40, 54]) {
      const lines = wrap(WORDS, columns).split('\n');
      expect(lines.join(' ')).toBe(WORDS);
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('is indented to the text, not to its label', () => {
    expect(wrap('Model               a: no model at no address; key: none', 44, 20)).toBe(
      'Model               a: no model at no\n                    address; key: none',
    );
    expect(wrap('    Fix:   Set it where you start the client.', 36, 11)).toBe(
      '    Fix:   Set it where you start\n           the client.',
    );
  });

  it('is indented less where the window is too narrow for it', () => {
    expect(wrap('Model               a: no model at no address', 30, 20)).toBe(
      'Model               a: no\n  model at no address',
    );
  });

  it('does not move a word that is longer than a line', () => {
    const path = `/${'directory/'.repeat(10)}file`;
    expect(wrap(`It lies in ${path} now.`, 40)).toBe(`It lies in ${path}\nnow.`);
    expect(wrap(path, 40)).toBe(path);
    expect(wrap(`    Where: ${path}:1:1`, 40, 11)).toBe(`    Where: ${path}:1:1`);
  });

  it('counts characters of two columns and of none', () => {
    const word = '日本語🙂';
    expect(wrap(`${word} ${word} ${word} ab`, 26)).toBe(`${word} ${word} ${word}\nab`);
    expect(wrap(`${word} ${word} ${word} ab`, 25)).toBe(`${word} ${word}\n${word} ab`);
    expect(wrap(`${'e\u0301'.repeat(20)} ab`, 23)).toBe(`${'e\u0301'.repeat(20)} ab`);
  });

  it('loses no word and moves none, and is no wider than the window where all words fit', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '-', '日', '🙂'), minLength: 1, maxLength: 12 });
    const text = fc.tuple(fc.constantFrom('', '  ', 'Label:  '), fc.array(word, { minLength: 1, maxLength: 15 }));
    const wide = (line: string): number =>
      Array.from(line).reduce((sum, one) => sum + (/[日🙂]/u.test(one) ? 2 : 1), 0);
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 60 }), fc.nat(30), ([label, words], columns, indentation) => {
        const whole = label + words.join(' ');
        const lines = wrap(whole, columns, indentation).split('\n');
        expect(lines.join(' ').split(/\s+/)).toEqual(whole.split(/\s+/));
        const widest = Math.max(...words.map(wide)) + wide(label) + Math.max(2, indentation);
        const most = widest <= columns ? columns : Number.POSITIVE_INFINITY;
        expect(Math.max(...lines.map(wide))).toBeLessThanOrEqual(most);
        for (const line of lines.slice(1)) expect(line).toMatch(/^ +\S/);
      }),
    );
  });
});
